import { readdirSync } from 'node:fs';
import path from 'node:path';
import { breaches, ROOT, rules } from './cruising.js';

const planted = path.join(ROOT, 'test/architecture/planted');
const names = rules.forbidden.map(({ name }) => name);

describe('keeping the rules of who may import whom', () => {
  it('finds no breach in the house', async () => {
    expect(await breaches(ROOT)).toEqual([]);
  }, 60_000);

  it('has a planted violation for each rule, and a rule for each planted violation', () => {
    expect(readdirSync(planted).sort()).toEqual([...names].sort());
  });

  it.each(names)('lets %s fire on its planted violation, and nothing else', async (name) => {
    const fired = (await breaches(path.join(planted, name))).map((breach) => breach.split(':')[0]);
    expect([...new Set(fired)]).toEqual([name]);
  });

  it('anchors every rule where the path starts', () => {
    expect(rules.forbidden.filter(({ from }) => !from.path?.startsWith('^'))).toEqual([]);
  });
});
