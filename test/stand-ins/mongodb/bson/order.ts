import { serialize } from 'bson';
import { ARRAY, DOCUMENT, elements, endOf, type Raw, type Value } from './raw.js';

/**
 * A value as text that compares as BSON does; the first character is its place among the types.
 * https://www.mongodb.com/docs/manual/reference/bson-type-comparison-order/
 */
export type Ordered = string;

export const NULL: Ordered = '\u0003';
/** In an expression, a missing value is below null. */
export const MISSING: Ordered = '\u0002';
const NUMBER = '\u0004';
const STRING = '\u0005';
const RANK: Readonly<Record<number, string>> = {
  ...{ 0xff: '\u0001', 0x06: NULL, 0x0a: NULL, 0x01: NUMBER, 0x10: NUMBER, 0x12: NUMBER, 0x13: NUMBER },
  ...{ 0x02: STRING, 0x0e: STRING, 0x03: '\u0006', 0x04: '\u0007', 0x05: '\u0008', 0x07: '\u000b' },
  ...{ 0x08: '\u000c', 0x09: '\u000d', 0x11: '\u000e', 0x0b: '\u000f', 0x7f: '\u0012' },
};
export const ARRAY_RANK = '\u0007';
export const REGEX_RANK = '\u000f';

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
/** Between the exact integer and its nearest double; half of the gap below 2^63 is 512. */
const EXACT = 0x8000;

const LEAST = '\0\0\0\0\0';
export const NAN: Ordered = NUMBER + LEAST;

/** Doubles compare as their bits do, once the sign is turned. NaN is the least number. */
function orderedNumber(value: number, rest = 0): string {
  if (Number.isNaN(value)) return LEAST;
  float[0] = value === 0 ? 0 : value;
  const negative = words[1]! >>> 31 === 1;
  const high = negative ? ~words[1]! : words[1]! ^ 0x80000000;
  const low = negative ? ~words[0]! : words[0]!;
  return String.fromCharCode(
    ...[(high >>> 16) & 0xffff, high & 0xffff, (low >>> 16) & 0xffff, low & 0xffff],
    EXACT + rest,
  );
}

function orderedInteger(value: bigint): string {
  const nearest = Number(value);
  return orderedNumber(nearest, Number(value - BigInt(nearest)));
}

const text = (raw: Raw, at: number) => raw.toString('utf8', at + 4, at + 3 + raw.readInt32LE(at));

const ABOVE_BASIC = /[\ud800-\uffff]/;
const ABOVE_BASICS = /[\ud800-\uffff]/g;

/** UTF-8 bytes order pairs of surrogates after U+FFFF; UTF-16 units order them before U+E000. */
function orderedText(value: string): string {
  if (!ABOVE_BASIC.test(value)) return value;
  return value.replace(ABOVE_BASICS, (unit) => {
    const code = unit.charCodeAt(0);
    return String.fromCharCode(code < 0xe000 ? code + 0x2000 : code - 0x800);
  });
}

const orderedElements = (raw: Raw, at: number, named: boolean): string =>
  elements(raw, at)
    .map((one) => `\u0001${named ? `${one.name}\0` : ''}${orderedAt(raw, one)}\0`)
    .join('');

export function orderedAt(raw: Raw, value: Value): Ordered {
  const { type, at } = value;
  const rank = RANK[type] ?? '\u0010';
  switch (type) {
    case 0x02:
    case 0x0e:
      return STRING + orderedText(text(raw, at));
    case 0x10:
      return NUMBER + orderedNumber(raw.readInt32LE(at));
    case 0x01:
      return NUMBER + orderedNumber(raw.readDoubleLE(at));
    case 0x12:
    case 0x09:
      return rank + orderedInteger(raw.readBigInt64LE(at));
    case DOCUMENT:
    case ARRAY:
      return rank + orderedElements(raw, at, type === DOCUMENT);
    case 0x05: // Length first, then subtype, then bytes.
      return `${rank}${orderedNumber(raw.readInt32LE(at))}${raw.toString('latin1', at + 4, endOf(raw, type, at))}`;
    case 0x11:
      return rank + orderedInteger(raw.readBigUInt64LE(at));
    default:
      return rank + raw.toString('latin1', at, endOf(raw, type, at));
  }
}

/** Of a decoded value, such as one in a filter. */
export function ordered(value: unknown): Ordered {
  if (typeof value === 'string') return STRING + orderedText(value);
  if (typeof value === 'number') return NUMBER + orderedNumber(value);
  if (value === null || value === undefined) return NULL;
  const raw = Buffer.from(serialize({ v: value }, { ignoreUndefined: false }));
  return orderedAt(raw, { type: raw[4]!, at: 7 });
}

/** Values of one type lie between its rank and the next. */
export const rankOf = (value: Ordered): string => value[0]!;
export const afterRank = (value: Ordered): string => String.fromCharCode(value.charCodeAt(0) + 1);
