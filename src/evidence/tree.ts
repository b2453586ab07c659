import { hash } from 'node:crypto';

/** The Merkle tree of RFC 6962, section 2.1, over tiles of C2SP tlog-tiles. Hashes have 32 bytes. */
export const HASH_BYTES = 32;
/** Hashes in a full tile, which is of height 8. */
export const TILE_HASHES = 256;

export interface TileReader {
  /**
   * Hashes of the tile, `width` of them or more, one after another. Tile `n` of level `level` has the hashes of full
   * subtrees of 256^level leaves, from number 256 × n on.
   */
  tile(level: number, n: number, width: number): Promise<Uint8Array>;
}

const pair = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** Hash of the tree over all of these hashes. @param hashes 1 to 256, a power of two */
export function foldHashes(hashes: Uint8Array): Buffer {
  const level = Buffer.from(hashes);
  let { length } = level;
  for (; length > HASH_BYTES; length /= 2)
    for (let at = 0; at < length; at += 2 * HASH_BYTES) {
      level.copy(pair, 1, at);
      // Node takes half the time to give a hash as text than in a Buffer of its own.
      level.write(hash('sha256', pair, 'binary'), at / 2, 'binary');
    }
  return level.subarray(0, length);
}

/** @param size leaves, at least 1 */
export function rootOf(tiles: TileReader, size: number): Promise<Buffer> {
  return treeHash(tiles, 0, size);
}

/** Section 2.1.1: from the leaf's neighbour up. */
export async function inclusionProof(
  tiles: TileReader,
  leaf: number,
  size: number,
): Promise<readonly Buffer[]> {
  return (
    await descend(
      tiles,
      size,
      (middle) => leaf < middle,
      (start, end) => end - start === 1,
    )
  ).path;
}

/** Section 2.1.2. Empty for equal sizes. @param old leaves, from 1 to `size` */
export async function consistencyProof(
  tiles: TileReader,
  old: number,
  size: number,
): Promise<readonly Buffer[]> {
  const isThere = (_: number, end: number) => end === old;
  const { path, start, end } = await descend(tiles, size, (middle) => old <= middle, isThere);
  return start === 0 ? path : [await treeHash(tiles, start, end), ...path];
}

/** Divides the tree until `isThere`. The path has the hashes of the other parts, the smallest first. */
async function descend(
  tiles: TileReader,
  size: number,
  isLeft: (middle: number) => boolean,
  isThere: (start: number, end: number) => boolean,
) {
  const path: Buffer[] = [];
  let [start, end] = [0, size];
  while (!isThere(start, end)) {
    const middle = start + splitOf(end - start);
    const toLeft = isLeft(middle);
    path.unshift(await (toLeft ? treeHash(tiles, middle, end) : treeHash(tiles, start, middle)));
    if (toLeft) end = middle;
    else start = middle;
  }
  return { path, start, end };
}

/** Hash of the tree over the leaves from `start` to before `end`, as section 2.1 divides them. */
async function treeHash(tiles: TileReader, start: number, end: number): Promise<Buffer> {
  const split = splitOf(end - start);
  if (end - start === 1 || end - start === 2 * split) return fullHash(tiles, start, end - start);
  const halves = [treeHash(tiles, start, start + split), treeHash(tiles, start + split, end)];
  const [left, right] = await Promise.all(halves);
  return foldHashes(Buffer.concat([left!, right!]));
}

/** @param count of leaves, a power of two, which divides `start` */
async function fullHash(tiles: TileReader, start: number, count: number): Promise<Buffer> {
  let [level, first, width] = [0, start, count];
  for (; width >= TILE_HASHES; level++) [first, width] = [first / TILE_HASHES, width / TILE_HASHES];
  const [n, at] = [Math.floor(first / TILE_HASHES), first % TILE_HASHES];
  const bytes = await tiles.tile(level, n, at + width);
  return foldHashes(bytes.subarray(at * HASH_BYTES, (at + width) * HASH_BYTES));
}

/** The largest power of two below `count`; 1 for 1. */
function splitOf(count: number): number {
  let split = 1;
  while (2 * split < count) split *= 2;
  return split;
}
