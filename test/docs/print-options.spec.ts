import { jobFlags } from '../../src/cli/inputs.js';
import { OPTION_NAMES } from '../../src/contexts/jobs/domain/print-options.js';
import { documentText } from './markdown.js';

const asked = [...OPTION_NAMES, 'unsupported'].sort();

describe('an option of a job', () => {
  it('is a row of the guide for integrators', () => {
    const [, section = ''] = documentText('docs/partner-api.md').split('### Options\n');
    const rows = section.split(/^##/m)[0]!.split('\n').slice(1);
    const names = rows.filter((row) => /^\| `/.test(row)).flatMap((row) => row.split('|')[1]!.split(','));
    expect(names.map((name) => name.replace(/[`\s]/g, '')).sort()).toEqual(asked);
  });

  it('is a flag of the command line', () => {
    const flags = jobFlags.map(({ field }) => field);
    expect(asked.filter((name) => !flags.includes(name))).toEqual([]);
  });

  it.each(['agent/service/protocol.ts', 'panel/job/receipt.ts'])('is known to %s', (file) => {
    const known = documentText(file);
    expect(OPTION_NAMES.filter((name) => !new RegExp(`^ +${name}\\??:`, 'm').test(known))).toEqual([]);
  });
});
