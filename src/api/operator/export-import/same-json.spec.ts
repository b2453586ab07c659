import fc from 'fast-check';
import { isSameJson } from './import-plan.js';

describe('comparing JSON', () => {
  it('ignores the order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = JSON.parse(JSON.stringify(value)) as unknown;
        return isSameJson(value, copy) && isSameJson(copy, turned(copy));
      }),
    );
  });

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: null }, {}],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    ['1', 1],
    [null, {}],
  ])('distinguishes %j from %j', (a, b) => {
    expect(isSameJson(a, b)).toBe(false);
    expect(isSameJson(b, a)).toBe(false);
  });
});

function turned(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).reverse());
}
