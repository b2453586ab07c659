import fc from 'fast-check';
import { guardJson, MAX_DEPTH } from './json-guard.js';

const MEGA = 1_000_000;

describe('checking JSON', () => {
  it('accepts documents that JSON.parse reads unchanged', () => {
    const fitting = fc.jsonValue({ maxDepth: 10 }).map((value) => JSON.stringify(value, safe));
    fc.assert(
      fc.property(
        fitting,
        (text) => guardJson(text) === undefined || /"(__proto__|constructor|prototype)"/.test(text),
      ),
    );
  });

  it('terminates for any text', () => {
    const token = fc.constantFrom(
      '"',
      '\\',
      '\\u',
      'd800',
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '-',
      '1e999',
      '0',
      ' ',
      'é',
      '\\"',
      '\\\\',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 60 }), (tokens) => void guardJson(tokens.join(''))),
      { numRuns: 2000 },
    );
  });

  it('finds a duplicate key at any place', () => {
    const key = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .filter((each) => !FORBIDDEN.has(each));
    fc.assert(
      fc.property(key, fc.nat(5), (name, depth) => {
        const twice = `{${JSON.stringify(name)}:1,"a ":{},${escaped(name)}:2}`;
        const text = '[{"x":'.repeat(depth) + twice + '}]'.repeat(depth);
        return guardJson(text) === 'a key must not stand twice in an object';
      }),
    );
  });

  it.each([
    ['the same key in two objects', '[{"a":1},{"a":1}]'],
    ['the same key one level down', '{"a":{"a":{"a":1}}}'],
    ['a key and a value that are equal', '{"a":"a","b":["a","a"]}'],
    ['structure inside strings', '{"a":"{\\"a\\":1,\\"a\\":2}","b":"[[[["}'],
    ['a pair of surrogates', '{"a":"\\ud83d\\ude00"}'],
    ['an escaped backslash before u', '{"a":"\\\\ud800"}'],
    ['the largest safe integers', '[9007199254740991,-9007199254740991]'],
    ['fractions and exponents', '[1.5,1e10,-0,0.1e-7,1E+2]'],
    ['the deepest nesting', '['.repeat(MAX_DEPTH) + ']'.repeat(MAX_DEPTH)],
  ])('accepts %s', (_, text) => {
    expect(guardJson(text)).toBeUndefined();
  });

  it.each([
    ['one level more', '['.repeat(MAX_DEPTH + 1)],
    ['the first unsafe integer', '9007199254740992'],
    ['a negative unsafe integer', '[-9007199254740992]'],
    ['an exponent beyond range', '[1e309]'],
    ['two high surrogates', '"\\ud800\\ud800"'],
    ['a low surrogate first', '"\\ude00\\ud83d"'],
    ['a high surrogate at the end', '"\\ud83d"'],
  ])('refuses %s', (_, text) => {
    expect(guardJson(text)).toBeDefined();
  });

  it.each<[string, (n: number) => string]>([
    ['line breaks in a string', (n) => `"${'\\n'.repeat(n)}"`],
    ['quotes in a string', (n) => `"${'\\"'.repeat(n)}"`],
    ['backslashes in a string', (n) => `"${'\\\\'.repeat(n)}"`],
    ['a backslash after many strings', (n) => `[${'"",'.repeat(n / 25)}"\\n"]`],
    ['strings without a backslash', (n) => `["${'x'.repeat(n)}","${'y'.repeat(n)}"]`],
    ['an unended string', (n) => `"${'x'.repeat(n)}`],
    ['backslashes outside strings', (n) => '\\'.repeat(n)],
    ['backslashes and quotes', (n) => '\\"'.repeat(n)],
    ['white space', (n) => ' '.repeat(n)],
  ])('takes linear time: %s', (_, textOf) => {
    // With quadratic time, four times the text would take sixteen times as long.
    const quarter = cpuMsOf(() => guardJson(textOf(MEGA / 4)));
    expect(cpuMsOf(() => guardJson(textOf(MEGA)))).toBeLessThan(10 * Math.max(quarter, 20));
  });
});

/** CPU time, which is independent of other programs. */
function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  return process.cpuUsage(before).user / 1_000;
}

describe('checking the items of a list one by one', () => {
  const brokenIn = (text: string) => {
    const items = new Map<number, string>();
    return { rule: guardJson(text, items), items: [...items] };
  };
  const LONE = 'text must be well-formed Unicode: a lone surrogate is not allowed';

  it.each([
    ['a lone surrogate', '{"title":"\\ud800"}', `${LONE} (in title)`],
    ['a lone surrogate that is an item', '"\\ud800"', `${LONE} (in jobs)`],
    ['a key twice', '{"a":1,"a":2}', 'a key must not stand twice in an object'],
    ['a forbidden key', '{"__proto__":{}}', 'the key "__proto__" is not allowed'],
    ['an unsafe integer', '{"copies":9007199254740993}', 'integers must lie within ±(2^53 − 1) (in copies)'],
  ])('names the item with %s, and goes on', (_, item, rule) => {
    const text = `{"jobs":[{"content":{"a":[1,2]}},${item},{"b":[]},${item}],"more":1}`;
    expect(brokenIn(text)).toEqual({
      rule: undefined,
      items: [
        [1, rule],
        [3, rule],
      ],
    });
  });

  it('keeps the first problem of an item', () => {
    const { items } = brokenIn('{"jobs":[{"a":"\\ud800","b":1e999}]}');
    expect(items).toEqual([[0, `${LONE} (in a)`]]);
  });

  it.each([
    ['beside the list', '{"jobs":[{}],"a":"\\ud800"}'],
    ['in a key of the body', '{"jobs":[],"\\ud800":1}'],
    ['in a list of another name', '{"rows":["\\ud800"]}'],
    ['in an object of that name', '{"jobs":{"a":"\\ud800"}}'],
    ['in a list of that name further inside', '{"a":{"jobs":["\\ud800"]}}'],
    ['of a list that stands twice', '{"jobs":[],"jobs":["\\ud800"]}'],
    ['in a body that is a list', '[["\\ud800"]]'],
    ['of an item that nests too deep', `{"jobs":[${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}]}`],
  ])('returns a problem %s', (_, text) => {
    expect(brokenIn(text)).toEqual({ rule: expect.any(String), items: [] });
  });

  it('returns the number of values, of which all items are made', () => {
    expect(brokenIn(`{"jobs":[[${'0,'.repeat(100_001)}0]]}`).rule).toMatch(/^the body must hold at most/);
  });
});

describe('naming the field of a problem', () => {
  it.each([
    ['title', ' (in title)'],
    ['\\u0000', ''],
    ['na me', ''],
    ['n\u00e4me', ''],
  ])('repeats only printable names: %j', (name, named) => {
    expect(guardJson(`{"${name}":"\\ud800"}`)).toBe(
      `text must be well-formed Unicode: a lone surrogate is not allowed${named}`,
    );
  });

  it.each([
    ['the list after an object in it', '{"events":[{"message":"a"},"\\ud800"]}', 'events'],
    ['the list after a list of objects in it', '{"rows":[[{"cell":1}],9007199254740993]}', 'rows'],
    ['a field after an object', '{"content":{"data":"a"},"title":"\\ud800"}', 'title'],
  ])('names %s', (_, text, field) => {
    expect(guardJson(text)).toMatch(new RegExp(`\\(in ${field}\\)$`));
  });

  it('names no field behind an object in a list', () => {
    expect(guardJson('[{"a":1},"\\ud800"]')).not.toContain('(in');
  });
});

const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype', 'a ']);

const escaped = (name: string) =>
  `"${[...name].map((each) => [...Array(each.length).keys()].map((i) => `\\u${each.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')).join('')}"`;

const safe = (_: string, value: unknown) =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) ? 0 : value;
