import { crc32 } from 'node:zlib';
import type { StoredRow } from '../../event-sourcing/write/event-codec.js';

/** CRC-32 over all columns of an event except its position. One call over one text is a third cheaper than three. */
export function checksumOf(row: Omit<StoredRow, 'position'>): number {
  const { stream, revision, id, type, data, metadata } = row;
  return crc32(`${stream} ${revision} ${id} ${type} ${data}${metadata}`);
}

/**
 * The stored checksum, mixed with the position assigned by the writer. A signed 32-bit number, which SQLite stores in
 * four bytes.
 */
export function storedChecksum(checksum: number, position: number): number {
  return checksum ^ position;
}
