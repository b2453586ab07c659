/** Saves space: a UUID in a column of a view takes 16 bytes instead of 36. Lossless. */
export type CompactId = string | Uint8Array;

const UUID_BYTES = 16;
const UUID_LENGTH = 36;
const DASH = 0x2d;
const DASHES = [8, 13, 18, 23];
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const SCRATCH = new Uint8Array(UUID_BYTES);
/** By UTF-16 code, -1 for all others. */
const DIGITS = new Int8Array(0x10000).fill(-1);
for (let n = 0; n < 16; n++) DIGITS[n.toString(16).charCodeAt(0)] = n;

function writeUuid(text: string, bytes: Uint8Array): boolean {
  if (text.length !== UUID_LENGTH) return false;
  for (const dash of DASHES) if (text.charCodeAt(dash) !== DASH) return false;
  for (let n = 0; n < UUID_BYTES; n++) {
    const at = PLACES[n]!;
    const high = DIGITS[text.charCodeAt(at)]!;
    const low = DIGITS[text.charCodeAt(at + 1)]!;
    if (high < 0 || low < 0) return false;
    bytes[n] = high * 16 + low;
  }
  return true;
}

export function isUuid(value: unknown): boolean {
  return typeof value === 'string' && writeUuid(value, SCRATCH);
}

/** Any text other than a lower-case UUID stays as it is. */
export function compactId(id: string): CompactId {
  if (id.length !== UUID_LENGTH) return id;
  const bytes = Buffer.allocUnsafe(UUID_BYTES);
  return writeUuid(id, bytes) ? bytes : id;
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
