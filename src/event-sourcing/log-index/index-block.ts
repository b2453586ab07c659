import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { positionFromNumber } from '../write/event-codec.js';
import type { IndexBlock } from '../ports/index-blocks.port.js';
import type { Position } from '../../kernel/recorded-event.js';

/** One event of an owner. */
export interface IndexEntry {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
}

/** The last block of an owner is written anew until it is full. */
export const BLOCK_ENTRIES = 128;

/** Blocks that hold these entries, of which those up to the end of `last` are already in it. */
export function extendedBlocks(
  owner: string,
  last: IndexBlock | undefined,
  entries: readonly IndexEntry[],
): readonly IndexBlock[] {
  const stored = last ? entriesOf(last) : [];
  const end = stored.at(-1)?.position ?? '';
  const all = [...stored, ...entries.filter(({ position }) => position > end)];
  const blocks: IndexBlock[] = [];
  for (let from = 0; from < all.length; from += BLOCK_ENTRIES) {
    const part = all.slice(from, from + BLOCK_ENTRIES);
    if (part.length > (from === 0 ? stored.length : 0))
      blocks.push({ owner, first: part[0]!.position, count: part.length, bytes: bytesOf(part) });
  }
  return blocks;
}

/** Names of the streams, then by entry: distance to the position before, index of the stream, revision. */
type Columns = readonly [
  streams: readonly string[],
  distances: readonly number[],
  indexes: readonly number[],
  revisions: readonly number[],
];

/** Columns compress better than entries: to 4 bytes each. */
function bytesOf(entries: readonly IndexEntry[]): Uint8Array {
  const streams = [...new Set(entries.map(({ stream }) => stream))];
  const positions = entries.map(({ position }) => Number(position));
  const columns: Columns = [
    streams,
    positions.map((position, n) => position - positions[Math.max(0, n - 1)]!),
    entries.map(({ stream }) => streams.indexOf(stream)),
    entries.map(({ revision }) => revision),
  ];
  return deflateRawSync(JSON.stringify(columns));
}

export function entriesOf({ first, bytes }: IndexBlock): readonly IndexEntry[] {
  const [streams, distances, indexes, revisions] = JSON.parse(inflateRawSync(bytes).toString()) as Columns;
  let at = Number(first);
  return distances.map((distance, n) => {
    at += distance;
    return { position: positionFromNumber(at), stream: streams[indexes[n]!]!, revision: revisions[n]! };
  });
}
