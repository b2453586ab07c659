import { readdirSync } from 'node:fs';
import path from 'node:path';
import { breaches, ROOT, rules } from './cruising.js';

const planted = path.join(ROOT, 'test/architecture/planted');
const names = rules.forbidden.map(({ name }) => name);

/** `npm run check:architecture` applies the rules to the program; here each proves that it fires. */
describe('import rules', () => {
  it('have exactly one planted violation each', () => {
    expect(readdirSync(planted).sort()).toEqual([...names].sort());
  });

  it.each(names)('report the planted violation of %s and nothing else', async (name) => {
    const fired = (await breaches(path.join(planted, name))).map((breach) => breach.split(':')[0]);
    expect([...new Set(fired)]).toEqual([name]);
  });

  it('anchor their patterns at the start of the path', () => {
    expect(rules.forbidden.filter(({ from }) => !from.path?.startsWith('^'))).toEqual([]);
  });
});
