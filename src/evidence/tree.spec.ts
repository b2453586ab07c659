import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { vectors } from '../../test/kit/evidence-vectors.js';
import {
  consistencyProof,
  foldHashes,
  inclusionProof,
  rootOf,
  TILE_HASHES,
  type TileReader,
} from './tree.js';

type Leaves = readonly Buffer[];

/** RFC 6962, section 2.1, word by word. */
const node = (left: Buffer, right: Buffer) =>
  createHash('sha256')
    .update(Buffer.concat([Buffer.of(1), left, right]))
    .digest();
const halfOf = (count: number) => 2 ** Math.ceil(Math.log2(count) - 1);

function mth(leaves: Leaves): Buffer {
  if (leaves.length === 1) return leaves[0]!;
  const k = halfOf(leaves.length);
  return node(mth(leaves.slice(0, k)), mth(leaves.slice(k)));
}

function path(m: number, leaves: Leaves): Buffer[] {
  if (leaves.length === 1) return [];
  const k = halfOf(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return m < k ? [...path(m, left), mth(right)] : [...path(m - k, right), mth(left)];
}

function subproof(m: number, leaves: Leaves, isWhole: boolean): Buffer[] {
  if (m === leaves.length) return isWhole ? [] : [mth(leaves)];
  const k = halfOf(leaves.length);
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return m <= k ? [...subproof(m, left, isWhole), mth(right)] : [...subproof(m - k, right, false), mth(left)];
}

/** Tiles as the log stores them: full subtrees only. */
function tilesOf(leaves: Leaves): TileReader {
  const levels = [leaves];
  for (let below = leaves; below.length >= TILE_HASHES; levels.push(below)) {
    const full = Math.floor(below.length / TILE_HASHES);
    below = Array.from({ length: full }, (_, n) => mth(below.slice(n * TILE_HASHES, (n + 1) * TILE_HASHES)));
  }
  return {
    async tile(level, n, width) {
      const hashes = levels[level]?.slice(n * TILE_HASHES, (n + 1) * TILE_HASHES) ?? [];
      if (hashes.length < width)
        throw new Error(`tile ${level}/${n} has ${hashes.length} hashes of ${width}`);
      return Buffer.concat(hashes);
    },
  };
}

const leavesOf = (count: number) =>
  Array.from({ length: count }, (_, n) => createHash('sha256').update(`leaf ${n}`).digest());
const base64 = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('base64'));

/** Sizes around the borders of tiles. */
const sizes = fc.oneof(
  fc.integer({ min: 1, max: 40 }),
  fc.constantFrom(255, 256, 257, 511, 512, 513, 1_024, 1_025),
);
const many = leavesOf(65_793);
const smallerOf = (size: number) => fc.integer({ min: 1, max: size });
const pairs = sizes.chain((size) => fc.tuple(fc.constant(size), smallerOf(size)));

describe('the tree over tiles', () => {
  const leaves = vectors.entries.map(({ leafHash }) => Buffer.from(leafHash, 'base64'));
  const tiles = tilesOf(leaves);

  it('gives the roots and proofs of the vectors', async () => {
    for (const [n, root] of vectors.roots.entries())
      expect((await rootOf(tiles, n + 1)).toString('base64')).toBe(root);
    expect(base64(await consistencyProof(tiles, 4, 7))).toEqual(vectors.consistency4to7);
    expect(base64(await inclusionProof(tiles, 5, 7))).toEqual(vectors.inclusion5of7);
  });

  it('gives roots, inclusion and consistency as RFC 6962 defines them', async () => {
    const law = async (size: number, old: number) => {
      const some = many.slice(0, size);
      const reader = tilesOf(some);
      expect((await rootOf(reader, size)).equals(mth(some))).toBe(true);
      expect(base64(await inclusionProof(reader, old - 1, size))).toEqual(base64(path(old - 1, some)));
      expect(base64(await consistencyProof(reader, old, size))).toEqual(base64(subproof(old, some, true)));
    };
    await fc.assert(
      fc.asyncProperty(pairs, ([size, old]) => law(size, old)),
      { numRuns: 40 },
    );
    await law(65_793, 65_537);
  });

  it('folds a full tile without changing it', () => {
    const tile = Buffer.concat(many.slice(0, TILE_HASHES));
    const before = Buffer.from(tile);
    expect(foldHashes(tile).equals(mth(many.slice(0, TILE_HASHES)))).toBe(true);
    expect(tile.equals(before)).toBe(true);
  });
});
