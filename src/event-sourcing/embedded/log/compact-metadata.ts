import { bufferOf, UUID_BYTES, uuidAt, writeUuid, type CompactText } from './compact-text.js';

/** Kinds of actors by number: append new ones, never reorder. Another kind stays text. */
const KINDS = ['api_key', 'partner', 'device', 'enrollment', 'operator', 'member', 'process'];
const KIND_BITS = 0b111;
/** Bits of the first byte for the ids that an event may lack, in the order in which they follow. */
const OPTIONAL = [
  ['requestId', 0b00_1000],
  ['causationId', 0b01_0000],
  ['accountId', 0b10_0000],
] as const;
const HEAD_BYTES = 8;
const UUID_FOLLOWS = 255;
/** Room for the head and five ids of at most 80 characters. */
const scratch = Buffer.alloc(512);

const ID = '"([ !#-[\\]-~]{0,80})"';
/** What the service writes, to the letter; any other text is kept as it is. */
const METADATA = new RegExp(
  `^\\{"actor":\\{"kind":"([a-z_]+)","id":${ID}\\},"correlationId":${ID}` +
    `(?:,"requestId":${ID})?(?:,"causationId":${ID})?` +
    `,"at":"(\\d{4}-[0-9:.T-]{18}Z)","schemaVersion":([1-9]\\d{0,2})(?:,"accountId":${ID})?\\}$`,
);

/**
 * Metadata as JSON in about a quarter of the bytes: a byte for the kind and the ids that follow, the schema version,
 * the time in six bytes of milliseconds, then the ids, UUIDs as 16 bytes. `metadataFrom` gives back the same text.
 */
export function compactMetadata(text: string): CompactText {
  const found = METADATA.exec(text);
  if (!found) return text;
  const [, kind, actorId, correlationId, requestId, causationId, at, version, accountId] = found;
  const number = KINDS.indexOf(kind!);
  const time = Date.parse(at!);
  // A 30th of February parses as a day in March.
  if (number < 0 || Number(version) > 255 || !(time >= 0) || new Date(time).toISOString() !== at) return text;
  const optional = { requestId, causationId, accountId };
  scratch[0] = OPTIONAL.reduce(
    (bits, [name, bit]) => (optional[name] === undefined ? bits : bits | bit),
    number,
  );
  scratch[1] = Number(version);
  scratch.writeUIntBE(time, 2, 6);
  let end = HEAD_BYTES;
  for (const id of [actorId, correlationId, requestId, causationId, accountId])
    if (id !== undefined) end = writeId(id, end);
  return Buffer.from(scratch.subarray(0, end));
}

/** Writes the length of an id and the id; returns where it ends. */
function writeId(id: string, at: number): number {
  if (writeUuid(id, scratch, at + 1)) {
    scratch[at] = UUID_FOLLOWS;
    return at + 1 + UUID_BYTES;
  }
  scratch[at] = id.length;
  return at + 1 + scratch.write(id, at + 1, 'latin1');
}

/** @throws TypeError, RangeError for a column that `compactMetadata` never wrote */
export function metadataFrom(column: unknown): string {
  if (typeof column === 'string') return column;
  if (!(column instanceof Uint8Array)) throw new TypeError('no metadata');
  const bytes = bufferOf(column);
  const bits = bytes.readUInt8(0);
  const at = timeOf(bytes);
  const next = idsFrom(bytes);
  const actor = `{"kind":"${KINDS[bits & KIND_BITS]}","id":"${next()}"}`;
  const correlation = `"correlationId":"${next()}"`;
  const [request, causation, account] = OPTIONAL.map(([name, bit]) =>
    bits & bit ? `,"${name}":"${next()}"` : '',
  );
  const version = bytes.readUInt8(1);
  return `{"actor":${actor},${correlation}${request}${causation},"at":"${at}","schemaVersion":${version}${account}}`;
}

/** Time of the command, without reading the rest. */
export function timeIn(column: CompactText): string {
  if (typeof column === 'string') return (JSON.parse(column) as { at: string }).at;
  return timeOf(bufferOf(column));
}

function timeOf(bytes: Buffer): string {
  return new Date(bytes.readUIntBE(2, 6)).toISOString();
}

/** Reads one id after the other. */
function idsFrom(bytes: Buffer): () => string {
  let at = HEAD_BYTES;
  return () => {
    const length = bytes.readUInt8(at++);
    const start = at;
    at += length === UUID_FOLLOWS ? UUID_BYTES : length;
    if (at > bytes.length) throw new RangeError('metadata ends early');
    return length === UUID_FOLLOWS ? uuidAt(bytes, start) : bytes.toString('latin1', start, at);
  };
}
