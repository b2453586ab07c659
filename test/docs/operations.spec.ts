import { existsSync, readdirSync } from 'node:fs';
import { documentText, rowsBelow } from './markdown.js';
import { operator } from '../../src/api/operator/operator.surface.js';
import { commands } from '../../src/cli/commands.js';
import { remedies } from '../../src/cli/operator-client.js';

const operations = documentText('docs/operations.md');
const GUIDES = ['architecture', 'getting-started', 'integration-api', 'operations'].map(
  (name) => `docs/${name}.md`,
);

describe('the operations guide', () => {
  it('names exactly the variables of the configuration', () => {
    const read = [...documentText('src/config.ts').matchAll(/read\(\s*'([A-Z_]+)'/g)].map(([, name]) => name);
    const named = rowsBelow(operations, 'Configuration').flatMap(([names = '']) => names.split(', '));
    expect(named.sort()).toEqual(read.sort());
  });

  it.each(commands.map(({ words }) => words))('documents rps %s', (words) => {
    const [group, ...verbs] = words.split(' ');
    const rows = rowsBelow(operations, 'The operator surface and `rps`')
      .map(([line = '']) => line)
      .filter((line) => line.startsWith(`${group} `));
    expect(rows.some((line) => line.includes(verbs.at(-1) ?? group!))).toBe(true);
  });

  it('lists every exit code', () => {
    const codes = ['0', '64', '69', '70', '74', '75', '78'];
    expect(rowsBelow(operations, 'Running').map(([code]) => code)).toEqual(codes);
  });
});

describe('remedies of rps', () => {
  it('cover exactly the codes of the operator surface', () => {
    expect(Object.keys(remedies).sort()).toEqual(Object.keys(operator.errors).sort());
  });
});

describe('decision records', () => {
  const records = readdirSync(new URL('../../docs/decisions', import.meta.url)).filter(
    (it) => it !== 'README.md',
  );
  const index = documentText('docs/decisions/README.md');

  it.each(records)('include %s in the index, with at most 40 lines', (record) => {
    expect(index).toContain(`](${record})`);
    expect(documentText(`docs/decisions/${record}`).trimEnd().split('\n').length).toBeLessThanOrEqual(40);
  });

  it('all exist if the index names them', () => {
    expect([...index.matchAll(/\]\(([a-z0-9-]+\.md)\)/g)].map(([, file]) => file).sort()).toEqual(
      records.sort(),
    );
  });
});

describe('links in documents', () => {
  it.each(['README.md', 'CONTRIBUTING.md', ...GUIDES])('of %s lead to existing files', (name) => {
    const links = [...documentText(name).matchAll(/\]\(([^)#]+)\)/g)].map(([, target = '']) => target);
    const files = links.filter((target) => !target.startsWith('http'));
    const folder = name.includes('/') ? 'docs/' : '';
    expect(files.filter((file) => !exists(`${folder}${file}`))).toEqual([]);
  });

  it('name existing files in the recipes of CONTRIBUTING.md', () => {
    const named = [
      ...documentText('CONTRIBUTING.md').matchAll(/`((?:src|test|projections|docs)\/[\w./-]+)`/g),
    ];
    expect(named.map(([, file = '']) => file).filter((file) => !exists(file))).toEqual([]);
  });
});

function exists(file: string): boolean {
  return existsSync(new URL(`../../${file}`, import.meta.url));
}
