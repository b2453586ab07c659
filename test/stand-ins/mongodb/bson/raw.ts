import { notServed } from '../server-error.js';

/** A BSON document as it came over the wire. What is stored is never decoded and encoded again, so types stay as they are. */
export type Raw = Buffer;

/** A value inside a raw document: its BSON type and where its bytes begin. https://bsonspec.org/spec.html */
export interface Value {
  readonly type: number;
  readonly at: number;
}

export const DOCUMENT = 0x03;
export const ARRAY = 0x04;

/** Bytes of the types whose length is fixed. */
const FIXED: Readonly<Record<number, number>> = {
  ...{ 0x01: 8, 0x06: 0, 0x07: 12, 0x08: 1, 0x09: 8, 0x0a: 0 },
  ...{ 0x10: 4, 0x11: 8, 0x12: 8, 0x13: 16, 0xff: 0, 0x7f: 0 },
};

/** Where the value ends. */
export function endOf(raw: Raw, type: number, at: number): number {
  const fixed = FIXED[type];
  if (fixed !== undefined) return at + fixed;
  switch (type) {
    case 0x02:
    case 0x0d:
    case 0x0e:
      return at + 4 + raw.readInt32LE(at);
    case DOCUMENT:
    case ARRAY:
    case 0x0f:
      return at + raw.readInt32LE(at);
    case 0x05:
      return at + 5 + raw.readInt32LE(at);
    case 0x0b:
      return raw.indexOf(0, raw.indexOf(0, at) + 1) + 1;
    case 0x0c:
      return at + 4 + raw.readInt32LE(at) + 12;
    default:
      throw new Error(`BSON type ${type} is unknown`);
  }
}

/** The field of the document that begins at `start`. */
export function field(raw: Raw, name: Buffer, start = 0): Value | undefined {
  const length = name.length;
  let at = start + 4;
  for (let type = raw[at]; type !== undefined && type !== 0; type = raw[at]) {
    let nameAt = at + 1;
    let same = 0;
    while (same < length && raw[nameAt + same] === name[same]) same++;
    const found = same === length && raw[nameAt + same] === 0;
    nameAt += same;
    while (raw[nameAt] !== 0) nameAt++;
    if (found) return { type, at: nameAt + 1 };
    at = endOf(raw, type, nameAt + 1);
  }
  return undefined;
}

export interface Element extends Value {
  readonly name: string;
  /** The whole element, type byte and name included. */
  readonly from: number;
  readonly end: number;
}

/** The elements of the document or array that begins at `start`. */
export function elements(raw: Raw, start = 0): Element[] {
  const found: Element[] = [];
  let from = start + 4;
  for (let type = raw[from]; type !== undefined && type !== 0; type = raw[from]) {
    const nameEnd = raw.indexOf(0, from + 1);
    const end = endOf(raw, type, nameEnd + 1);
    found.push({ type, at: nameEnd + 1, name: raw.toString('utf8', from + 1, nameEnd), from, end });
    from = end;
  }
  return found;
}

/** The documents of an array of documents. */
export const documentsIn = (raw: Raw, array: Value): Raw[] =>
  elements(raw, array.at).map(({ at, end }) => raw.subarray(at, end));

/** A document of elements that are already in their BSON form. */
export function documentOf(parts: readonly Uint8Array[]): Raw {
  const length = parts.reduce((sum, part) => sum + part.length, 5);
  const raw = Buffer.allocUnsafe(length);
  raw.writeInt32LE(length, 0);
  let at = 4;
  for (const part of parts) {
    raw.set(part, at);
    at += part.length;
  }
  raw[at] = 0;
  return raw;
}

const ID = Buffer.from('_id');

/** The `_id` element, name included. */
export function idElement(raw: Raw): Raw | undefined {
  const id = field(raw, ID);
  return id && raw.subarray(id.at - 5, endOf(raw, id.type, id.at));
}

/** A copy with this `_id` in front. mongod: fixDocumentForInsert puts `_id` first (src/mongo/db/ops/insert.cpp). */
export function withId(raw: Raw, id: Uint8Array): Raw {
  const own = field(raw, ID);
  if (!own) return documentOf([id, raw.subarray(4, raw.length - 1)]);
  const end = endOf(raw, own.type, own.at);
  return documentOf([id, raw.subarray(4, own.at - 5), raw.subarray(end, raw.length - 1)]);
}

export type Path = readonly Buffer[];

export const pathOf = (dotted: string): Path => dotted.split('.').map((name) => Buffer.from(name));

/** The value that a dotted path leads to. Lists on the way are not served. */
export function valueAt(raw: Raw, path: Path, start = 0, depth = 0): Value | undefined {
  const value = field(raw, path[depth]!, start);
  if (!value || depth === path.length - 1) return value;
  if (value.type === ARRAY) throw notServed('a path through a list');
  return value.type === DOCUMENT ? valueAt(raw, path, value.at, depth + 1) : undefined;
}
