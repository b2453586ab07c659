import { readFileSync, writeFileSync } from 'node:fs';

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

/** Overwrites the database page with the last occurrence of these bytes. */
export function overwritePageOf(file: string, bytes: string): void {
  const content = readFileSync(file);
  const at = content.lastIndexOf(Buffer.from(bytes));
  if (at < 0) throw new Error(`${file} does not hold these bytes`);
  const page = Math.floor(at / PAGE_BYTES) * PAGE_BYTES;
  content.fill(0x5a, page, page + PAGE_BYTES);
  writeFileSync(file, content);
}
