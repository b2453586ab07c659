import { EARLIER_KINDS, EARLIER_PHRASES } from './pack-dictionary.js';

/** Columns of schema versions 2 and 3, read once in a migration (docs/decisions/065-packed-streams.md). */

const KIND_BITS = 0b111;
/** Optional ids by their bit in the first byte of compact metadata, in stored order. */
const OPTIONAL = [
  ['requestId', 0b00_1000],
  ['causationId', 0b01_0000],
  ['accountId', 0b10_0000],
] as const;
const HEAD_BYTES = 8;
const UUID_BYTES = 16;
const UUID_LENGTH = 255;

/** White space of JSON is no code. */
const WHITE_SPACE = [9, 10, 13];
const LONG_FOLLOWS = String.fromCharCode(30);
const AS_IT_IS = String.fromCharCode(31);
const FIRST_OF_LONG = 48;

const controls = Array.from({ length: 31 }, (_, n) => n + 1).filter((code) => !WHITE_SPACE.includes(code));
const phrases = new Map([
  ...EARLIER_PHRASES.short.map((phrase, n) => [String.fromCharCode(controls[n]!), phrase] as const),
  ...EARLIER_PHRASES.long.map(
    (phrase, n) => [LONG_FOLLOWS + String.fromCharCode(FIRST_OF_LONG + n), phrase] as const,
  ),
]);
const ANY_CODE = new RegExp(`${LONG_FOLLOWS}.|[${String.fromCharCode(...controls)}]`, 'g');

/** @throws TypeError for an unknown code */
function textFrom(column: unknown): unknown {
  if (typeof column !== 'string') return column;
  if (column.startsWith(AS_IT_IS)) return column.slice(1);
  return column.replace(ANY_CODE, (code) => {
    const phrase = phrases.get(code);
    if (phrase === undefined) throw new TypeError('an unknown code');
    return phrase;
  });
}

function idFrom(column: unknown): unknown {
  return column instanceof Uint8Array ? uuidAt(bufferOf(column), 0) : column;
}

/** The category, 0 and the bytes of a UUID, or 1 and those of a hash. */
function streamFrom(column: unknown): unknown {
  if (!(column instanceof Uint8Array)) return column;
  const bytes = bufferOf(column);
  const end = bytes.indexOf('-') + 1;
  const category = bytes.toString('latin1', 0, end);
  return category + (bytes[end] === 1 ? bytes.toString('hex', end + 1) : uuidAt(bytes, end + 1));
}

/** A byte for actor kind and ids, schema version, six bytes of milliseconds, ids. @throws RangeError */
function metadataFrom(column: unknown): unknown {
  if (!(column instanceof Uint8Array)) return column;
  const bytes = bufferOf(column);
  const bits = bytes.readUInt8(0);
  const at = new Date(bytes.readUIntBE(2, 6)).toISOString();
  const next = idsFrom(bytes);
  const actor = `{"kind":"${EARLIER_KINDS[bits & KIND_BITS]}","id":"${next()}"}`;
  const correlation = `"correlationId":"${next()}"`;
  const [request, causation, account] = OPTIONAL.map(([name, bit]) =>
    bits & bit ? `,"${name}":"${next()}"` : '',
  );
  const version = bytes.readUInt8(1);
  return `{"actor":${actor},${correlation}${request}${causation},"at":"${at}","schemaVersion":${version}${account}}`;
}

/** Each id: its length, or 255 for the bytes of a UUID, then the id. */
function idsFrom(bytes: Buffer): () => string {
  let at = HEAD_BYTES;
  return () => {
    const length = bytes.readUInt8(at++);
    const start = at;
    at += length === UUID_LENGTH ? UUID_BYTES : length;
    if (at > bytes.length) throw new RangeError('metadata ends early');
    return length === UUID_LENGTH ? uuidAt(bytes, start) : bytes.toString('latin1', start, at);
  };
}

function uuidAt(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + UUID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** SQL functions by name; an unreadable column is returned unchanged. */
export const EARLIER_FORMS: Readonly<Record<string, (column: unknown) => unknown>> = {
  earlier_text: readable(textFrom),
  earlier_id: readable(idFrom),
  earlier_stream: readable(streamFrom),
  earlier_metadata: readable(metadataFrom),
};

/** The checksum will not match a damaged column in the current form either. */
function readable(read: (column: unknown) => unknown) {
  return (column: unknown): unknown => {
    try {
      return read(column);
    } catch {
      return column;
    }
  };
}
