import { deserialize, Double, Int32, Long, serialize } from 'bson';
import { ARRAY, DOCUMENT, documentOf, type Raw } from './raw.js';

export type Document = Record<string, unknown>;

/** Bytes that go into a reply as they are. */
export class RawDocument {
  constructor(readonly bytes: Raw) {}
}

export const isPlain = (value: unknown): value is Document =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const named = (type: number, name: string) => Buffer.from(`${String.fromCharCode(type)}${name}\0`);

function elementParts(name: string, value: unknown): Uint8Array[] {
  if (value instanceof RawDocument) return [named(DOCUMENT, name), value.bytes];
  if (Array.isArray(value)) return [named(ARRAY, name), compose(value)];
  if (isPlain(value)) return [named(DOCUMENT, name), compose(value)];
  return [serialize({ [name]: value }).subarray(4, -1)];
}

/** BSON of a document whose parts may be raw documents. What is undefined is left out. */
export function compose(document: Document | readonly unknown[]): Raw {
  const parts = Object.entries(document)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => elementParts(name, value));
  return documentOf(parts);
}

/** Int32, Long and Double stay apart: what is decoded this way is encoded again as it was. */
export const typed = (raw: Raw): Document =>
  deserialize(raw, { promoteValues: false, promoteBuffers: false, bsonRegExp: true });

/** As expressions want it: JavaScript numbers, regular expressions, dates. */
export const promoted = (raw: Raw): Document => deserialize(raw, { promoteBuffers: false });

export const untyped = (document: Document): Document => promoted(encode(document));

export const encode = (document: Document, ignoreUndefined = false): Raw => {
  const bytes = serialize(document, { ignoreUndefined });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
};

export function numberOf(value: unknown, otherwise = 0): number {
  if (typeof value === 'number') return value;
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Long) return value.toNumber();
  return otherwise;
}

/** As mongod reads a flag: a number counts as well (BSONElement::trueValue). */
export const isTrue = (value: unknown): boolean => value === true || numberOf(value) !== 0;
