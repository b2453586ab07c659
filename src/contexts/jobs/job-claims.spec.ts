import type { JobDraft } from './coordinated.commands.js';
import { fingerprintOfDraft } from './job-claims.js';

const draft: JobDraft = {
  accountId: 'account',
  source: 'integration',
  printerId: 'p',
  contentType: 'text',
  content: Buffer.from('Hello'),
  contentHash: 'a'.repeat(64),
  copies: 1,
};

describe('the fingerprint of a print request', () => {
  it('is that of earlier releases without options', () => {
    const stored = '47ba28b3c5a56748ee386b35336dd5da11862339433fe1404b599f19863e1bd9';
    expect(fingerprintOfDraft(draft)).toBe(stored);
  });

  it('differs with each option', () => {
    const all = [
      { paper: 'A4' },
      { paper: 'A5' },
      { tray: 'A4' },
      { unsupported: 'ignore' as const },
      undefined,
    ];
    const prints = all.map((options) => fingerprintOfDraft({ ...draft, options }));
    expect(new Set(prints).size).toBe(all.length);
  });
});
