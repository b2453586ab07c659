import { typed, type Document } from '../bson/compose.js';
import { DOCUMENT, field, type Raw } from '../bson/raw.js';

/** Fields of the statements of an update and a delete, as they are looked up in raw documents. */
export const NAMES = {
  Q: Buffer.from('q'),
  U: Buffer.from('u'),
  UPSERT: Buffer.from('upsert'),
  MULTI: Buffer.from('multi'),
  LIMIT: Buffer.from('limit'),
  SORT: Buffer.from('sort'),
} as const;

export function documentIn(statement: Raw, name: Buffer): Document {
  const value = field(statement, name);
  if (value?.type !== DOCUMENT) return {};
  return typed(statement.subarray(value.at, value.at + statement.readInt32LE(value.at)));
}

/** True, or a number that is not zero: neither has a zero first byte, unless it is a double. */
export function flagIn(statement: Raw, name: Buffer): boolean {
  const value = field(statement, name);
  if (!value) return false;
  if (value.type === 0x01) return statement.readDoubleLE(value.at) !== 0;
  return value.type !== 0x0a && statement[value.at] !== 0;
}
