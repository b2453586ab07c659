import { crc32 } from 'node:zlib';
import type { StoredRow } from '../../event-sourcing/write/event-codec.js';

/** CRC-32 over all columns of an event but its position. */
export function checksumOf(row: Omit<StoredRow, 'position'>): number {
  const { stream, revision, id, type, data, metadata } = row;
  return crc32(metadata, crc32(data, crc32(`${stream} ${revision} ${id} ${type} `)));
}

/**
 * The checksum as it is stored: mixed with the position, which only the writer knows. A signed 32-bit number, which
 * SQLite keeps in four bytes.
 */
export function storedChecksum(checksum: number, position: number): number {
  return checksum ^ position;
}
