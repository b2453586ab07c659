/** Saves space: a UUID in a column of a view takes 16 bytes instead of 36. Lossless. */
export type CompactId = string | Uint8Array;

const UUID_BYTES = 16;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}

/** Any text other than a lower-case UUID stays as it is. */
export function compactId(id: string): CompactId {
  return isUuid(id) ? Buffer.from(id.replaceAll('-', ''), 'hex') : id;
}

/** @throws TypeError for a column that `compactId` never wrote */
export function idFrom(column: unknown): string {
  if (typeof column === 'string') return column;
  if (!(column instanceof Uint8Array)) throw new TypeError('no id');
  return uuidOfHex(Buffer.from(column).toString('hex'));
}

/** @param hex of 16 bytes, from SQLite's `hex` @throws TypeError */
export function uuidOfHex(hex: unknown): string {
  if (typeof hex !== 'string' || hex.length !== 2 * UUID_BYTES) throw new TypeError('no UUID');
  const digits = hex.toLowerCase();
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
}
