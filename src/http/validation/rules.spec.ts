import { boolean, constant, dateTime, integer, listOf, name, oneOf, text, uuid, type Rule } from './rules.js';

const ID = '019a8f3e-5b7c-7d21-9c44-0a1b2c3d4e5f';
const GRIN = '\u{1f600}';

describe('the rules of fields', () => {
  const fitting: readonly (readonly [string, Rule, unknown])[] = [
    ['text', text({ max: 5 }), 'héllo'],
    ['text of code points', text({ max: 5 }), GRIN.repeat(5)],
    ['short text of code points', text({ min: 2, max: 5 }), GRIN.repeat(2)],
    ['empty text where it is allowed', text({ min: 0, max: 5 }), ''],
    ['text of a pattern', text({ max: 5, pattern: /^[A-Z]+$/ }), 'ABC'],
    ['a name with blanks', name({ max: 5 }), ' a b '],
    ['an empty name where it is allowed', name({ min: 0, max: 5 }), ''],
    ['a name with an invisible character', name({ max: 5 }), 'नव\u200d'],
    ['a name of a symbol', name({ max: 5 }), '\u2764\ufe0f'],
    ['a name in a private character', name({ max: 5 }), '\uf8ff'],
    ['a UUID', uuid(), ID.toUpperCase()],
    ['a date-time', dateTime(), '2026-11-21T12:00:00.123456789+05:30'],
    ['a leap day', dateTime(), '2028-02-29T00:00:00Z'],
    ['an integer', integer(1, 20), 20],
    ['a boolean', boolean(), false],
    ['a word', oneOf('a', 'b'), 'b'],
    ['a constant', constant('live'), 'live'],
    ['a list', listOf(uuid(), { max: 2, unique: true }), [ID]],
    ['an empty list', listOf(uuid(), { max: 2 }), []],
  ];
  it.each(fitting)('accepts %s', (_, rule, value) => expect(rule.accepts(value)).toBe(true));

  const unfit: readonly (readonly [string, Rule, unknown])[] = [
    ['text that is too long', text({ max: 5 }), GRIN.repeat(6)],
    ['text that is too short', text({ min: 2, max: 5 }), GRIN],
    ['a lone surrogate', text({ max: 5 }), 'a\ud800'],
    ['a control character', text({ max: 5 }), 'a\u0085'],
    ['a String object', text({ max: 5 }), new String('a')],
    ['a name of blanks', name({ max: 5 }), ' \u3000\u00a0'],
    ['a name of zero-width spaces', name({ max: 5 }), '\u200b\u200b'],
    ['a name of a Braille blank', name({ max: 5 }), '\u2800'],
    ['a name of Hangul fillers', name({ max: 5 }), '\u3164 \u115f'],
    ['a name of a soft hyphen and a variation selector', name({ max: 5 }), '\u00ad\ufe0f'],
    ['a name of tags', name({ max: 5 }), '\u{e0041}'],
    ['an invisible name where an empty one is allowed', name({ min: 0, max: 5 }), '\u2060'],
    ['a name of blanks where an empty one is allowed', name({ min: 0, max: 5 }), '  '],
    ['a UUID in braces', uuid(), `{${ID}}`],
    ['a UUID with a line break', uuid(), `${ID}\n`],
    ['29 February of a common year', dateTime(), '2027-02-29T00:00:00Z'],
    ['31 April', dateTime(), '2027-04-31T00:00:00Z'],
    ['month 13', dateTime(), '2027-13-01T00:00:00Z'],
    ['a leap second', dateTime(), '2026-12-31T23:59:60Z'],
    ['a date-time without seconds', dateTime(), '2026-12-01T00:00Z'],
    ['hour 24', dateTime(), '2026-12-01T24:00:00Z'],
    ['minute 60', dateTime(), '2026-12-01T12:60:00Z'],
    ['an offset of 24 hours', dateTime(), '2026-12-01T12:00:00+24:00'],
    ['an offset without a colon', dateTime(), '2026-12-01T12:00:00+0100'],
    ['a date', dateTime(), '2026-11-21'],
    ['a date in words', dateTime(), 'Sat, 21 Nov 2026 12:00:00 GMT'],
    ['a number for a date', dateTime(), 1_795_000_000_000],
    ['a fraction', integer(1, 20), 1.5],
    ['NaN', integer(1, 20), Number.NaN],
    ['a number for a boolean', boolean(), 0],
    ['a word that objects have', oneOf('a'), 'constructor'],
    ['a list with the same value twice', listOf(oneOf('a', 'b'), { max: 3, unique: true }), ['a', 'a']],
    ['a list that is too long', listOf(oneOf('a', 'b'), { max: 1 }), ['a', 'b']],
    ['a list with one wrong value', listOf(integer(1, 5), { max: 5 }), [1, 6]],
    ['something like a list', listOf(integer(1, 5), { max: 5 }), { length: 0 }],
  ];
  it.each(unfit)('refuses %s', (_, rule, value) => expect(rule.accepts(value)).toBe(false));

  it('normalises spellings', () => {
    expect(uuid().normalise!(ID.toUpperCase() as never)).toBe(ID);
    expect(dateTime().normalise!('2026-11-21t14:00:00.5+02:00' as never)).toBe('2026-11-21T12:00:00.500Z');
  });

  it.each(['05', '+5', '-0', '1e1', '5.0', ' 5', '5 ', '٥', ''])(
    'does not read "%s" as an integer',
    (word) => {
      expect(integer(0, 100).accepts(integer(0, 100).fromText!(word))).toBe(false);
    },
  );
});
