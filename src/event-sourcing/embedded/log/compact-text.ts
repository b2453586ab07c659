/** A text as a column keeps it: a blob if it has a shorter form, itself otherwise. Exact both ways. */
export type CompactText = string | Uint8Array;

export const UUID_BYTES = 16;
const UUID_LENGTH = 36;
const DASH = 0x2d;
const DASHES = [8, 13, 18, 23];
/** Where the digits of each byte begin. */
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const SCRATCH = new Uint8Array(UUID_BYTES);
/** Value of a lower-case hexadecimal digit by its UTF-16 code, -1 for all others. */
const DIGITS = new Int8Array(0x10000).fill(-1);
for (let n = 0; n < 16; n++) DIGITS[n.toString(16).charCodeAt(0)] = n;

/** Writes a UUID in lower case as 16 bytes; false for any other text. */
export function writeUuid(text: string, bytes: Uint8Array, start: number): boolean {
  if (text.length !== UUID_LENGTH) return false;
  for (const dash of DASHES) if (text.charCodeAt(dash) !== DASH) return false;
  for (let n = 0; n < UUID_BYTES; n++) {
    const at = PLACES[n]!;
    const high = DIGITS[text.charCodeAt(at)]!;
    const low = DIGITS[text.charCodeAt(at + 1)]!;
    if (high < 0 || low < 0) return false;
    bytes[start + n] = high * 16 + low;
  }
  return true;
}

/** True for the text of a UUID in lower case. */
export function isUuid(value: unknown): boolean {
  return typeof value === 'string' && writeUuid(value, SCRATCH, 0);
}

/** 16 bytes for a UUID in lower case. */
export function compactId(id: string): CompactText {
  if (id.length !== UUID_LENGTH) return id;
  const bytes = Buffer.allocUnsafe(UUID_BYTES);
  return writeUuid(id, bytes, 0) ? bytes : id;
}

/** @throws TypeError for a column that `compactId` never wrote */
export function idFrom(column: unknown): string {
  if (typeof column === 'string') return column;
  if (!(column instanceof Uint8Array) || column.length !== UUID_BYTES) throw new TypeError('no id');
  return uuidAt(bufferOf(column), 0);
}

/** Mark before the digits of a blob, and before a text, as the log is read. */
export const HEX_FOLLOWS = 'x';
export const TEXT_FOLLOWS = 't';

/**
 * The text of a marked column.
 * @param fromHex reads the digits of a blob
 * @throws TypeError for a column without mark
 */
export function fromMarked(column: unknown, fromHex: (hex: string) => string): string {
  if (typeof column !== 'string') throw new TypeError('no text');
  if (column.startsWith(HEX_FOLLOWS)) return fromHex(column.slice(1));
  if (column.startsWith(TEXT_FOLLOWS)) return column.slice(1);
  throw new TypeError('no mark');
}

export function uuidAt(bytes: Buffer, start: number): string {
  return dashed(bytes.toString('hex', start, start + UUID_BYTES));
}

/**
 * @param hex digits of 16 bytes as SQLite's `hex` gives them
 * @throws TypeError for anything else
 */
export function uuidOfHex(hex: unknown): string {
  if (typeof hex !== 'string' || hex.length !== 2 * UUID_BYTES) throw new TypeError('no UUID');
  return dashed(hex.toLowerCase());
}

function dashed(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** `<category>-<UUID>`, or `<category>-<SHA-256 in hex>`. */
const STREAM = /^([A-Za-z]+-)(?:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|([0-9a-f]{64}))$/;
/** Bytes that no category has; each begins the id of its kind. */
const UUID_FOLLOWS = 0;
const HASH_FOLLOWS = 1;

/** The category, a byte that tells the kind of id, and the id's bytes. */
export function compactStream(stream: string): CompactText {
  const [, category, uuid, hash] = STREAM.exec(stream) ?? [];
  if (category === undefined) return stream;
  const id = uuid === undefined ? hash! : uuid.replaceAll('-', '');
  const mark = uuid === undefined ? HASH_FOLLOWS : UUID_FOLLOWS;
  return Buffer.concat([Buffer.from(category), Buffer.of(mark), Buffer.from(id, 'hex')]);
}

/** @throws TypeError for a column that `compactStream` never wrote */
export function streamFrom(column: unknown): string {
  if (typeof column === 'string') return column;
  if (!(column instanceof Uint8Array)) throw new TypeError('no stream');
  const bytes = bufferOf(column);
  const end = bytes.indexOf('-') + 1;
  const category = bytes.toString('latin1', 0, end);
  if (bytes[end] === HASH_FOLLOWS) return category + bytes.toString('hex', end + 1);
  return category + uuidAt(bytes, end + 1);
}

export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
