import fc from 'fast-check';
import { NOON, recordedAt } from '../../../../test/kit/recorded.js';
import { isSameJson, planImport, type ArrivingEvent } from './event-import.js';

const arriving = (stream: string, count: number): ArrivingEvent[] =>
  Array.from({ length: count }, (_, n) => recordedAt(NOON, stream, n, { type: 'Noted', data: {} }));

describe('planning an import', () => {
  it('appends consecutive events of one stream together, at most a hundred', () => {
    const plan = planImport([...arriving('note-1', 250), ...arriving('note-2', 2)], new Map());
    const appends = plan.fits ? plan.appends : [];

    expect(appends.map(({ stream, expected, events }) => [stream, expected, events.length])).toEqual([
      ['note-1', 'no_stream', 100],
      ['note-1', 99, 100],
      ['note-1', 199, 50],
      ['note-2', 'no_stream', 2],
    ]);
  });

  it('refuses a stream with a gap', () => {
    const [first, , third] = arriving('note-1', 3);
    const plan = planImport([first!, third!], new Map());

    expect(plan).toEqual({ fits: false, stream: 'note-1', revision: 2 });
  });
});

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
