import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { positionFromNumber } from '../../write/event-codec.js';
import type { StoredText } from '../../ports/stored-texts.port.js';
import { DICTIONARIES } from './pack-dictionary.js';

const FIELDS = 5;

/** Consecutive in their stream, not in the log. */
export interface PackedRange {
  readonly stream: string;
  readonly first: number;
  readonly position: number;
}

/** Fields of a pack end with a newline, so no field may contain one. */
export function canPack(rows: readonly StoredText[]): boolean {
  return rows.every(
    ({ id, type, data, metadata }) => ![id, type, data, metadata].some((text) => text.includes('\n')),
  );
}

/** A line each: distance to the previous position, id, type, data, metadata (empty if repeated). */
export function packOf(rows: readonly StoredText[]): Buffer {
  const lines: string[] = [];
  let before: StoredText | undefined;
  for (const row of rows) {
    const { id, type, data, metadata } = row;
    const distance = before ? Number(row.position) - Number(before.position) : 0;
    lines.push(String(distance), id, type, data, metadata === before?.metadata ? '' : metadata);
    before = row;
  }
  const newest = DICTIONARIES.length - 1;
  const packed = deflateRawSync(lines.join('\n'), { dictionary: DICTIONARIES[newest] });
  return Buffer.concat([Buffer.of(newest), packed]);
}

/** @throws Error if the pack is damaged */
export function rowsOf(pack: Uint8Array, { stream, first, position }: PackedRange): StoredText[] {
  const bytes = Buffer.from(pack.buffer, pack.byteOffset, pack.byteLength);
  const dictionary = DICTIONARIES[bytes.readUInt8(0)];
  if (!dictionary) throw new RangeError('the dictionary of the pack is unknown');
  const lines = inflateRawSync(bytes.subarray(1), { dictionary }).toString().split('\n');
  if (lines.length % FIELDS !== 0) throw new RangeError('the pack ends within an event');
  const rows: StoredText[] = [];
  let [at, metadata] = [position, ''];
  for (let n = 0; n < lines.length; n += FIELDS) {
    at += Number(lines[n]);
    metadata = lines[n + 4] || metadata;
    const [id, type, data] = [lines[n + 1]!, lines[n + 2]!, lines[n + 3]!];
    rows.push({
      id,
      stream,
      revision: first + rows.length,
      position: positionFromNumber(at),
      type,
      data,
      metadata,
    });
  }
  return rows;
}

/** CRC-32 over pack and range, signed, which SQLite stores in four bytes. */
export function packChecksum(pack: Uint8Array, { stream, first, position }: PackedRange): number {
  return crc32(pack, crc32(`${stream} ${first} ${position}`)) | 0;
}
