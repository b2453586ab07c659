import { typed } from '../bson/compose.js';
import { documentOf, endOf, pathOf, valuesAt, type Raw, type Value } from '../bson/raw.js';

/** A value by itself, decoded with its type. */
export function decoded(raw: Raw, { type, at }: Value): unknown {
  return typed(documentOf([Buffer.from([type, 0x76, 0]), raw.subarray(at, endOf(raw, type, at))]))['v'];
}

/** What a path leads to, lists taken apart. */
export const valuesOf = (raw: Raw, path: string): unknown[] =>
  valuesAt(raw, pathOf(path)).flatMap((value) => decoded(raw, value));
