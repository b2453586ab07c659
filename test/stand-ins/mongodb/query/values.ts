import { typed } from '../bson/compose.js';
import { documentOf, endOf, valueAt, type Path, type Raw } from '../bson/raw.js';

/** What a path leads to, decoded with its type; null for nothing. */
export function decodedAt(raw: Raw, path: Path): unknown {
  const value = valueAt(raw, path);
  if (!value) return null;
  const { type, at } = value;
  return typed(documentOf([Buffer.from([type, 0x76, 0]), raw.subarray(at, endOf(raw, type, at))]))['v'];
}
