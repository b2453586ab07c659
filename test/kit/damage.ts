import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';

const PAGE_BYTES = 4_096;

/** Flips one bit in the last occurrence of these bytes. @throws Error if the file does not contain them */
export function flipIn(file: string, bytes: string | Uint8Array, bit = 0): void {
  const content = readFileSync(file);
  const at = content.lastIndexOf(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  if (at < 0) throw new Error(`${file} does not hold these bytes`);
  flipBit(content, at * 8 + bit);
  writeFileSync(file, content);
}

/** Flips the n-th bit in place. */
export function flipBit(content: Uint8Array, n: number): void {
  content[n >> 3]! ^= 1 << (n & 7);
}

/** Overwrites the database page with the last occurrence of these bytes in place, also while it is in use. */
export function overwritePageOf(file: string, bytes: string): void {
  const at = readFileSync(file).lastIndexOf(Buffer.from(bytes));
  if (at < 0) throw new Error(`${file} does not hold these bytes`);
  const opened = openSync(file, 'r+');
  writeSync(opened, Buffer.alloc(PAGE_BYTES, 0x5a), 0, PAGE_BYTES, Math.floor(at / PAGE_BYTES) * PAGE_BYTES);
  closeSync(opened);
}
