import type { Position } from '../../kernel/recorded-event.js';
import type { IndexBlock } from '../ports/index-blocks.port.js';
import { positionFromNumber } from '../write/event-codec.js';
import { ByteReader, ByteWriter } from './block-bytes.js';

/** An event of an owner. */
export interface IndexEntry {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
}

/** The same with its position as a number, which takes less time and memory than a text of 20 digits. */
export interface BlockEntry extends Pick<IndexEntry, 'stream' | 'revision'> {
  readonly at: number;
}

/** '' is before the first. */
export const placeOf = (position: Position): number => (position === '' ? -1 : Number(position));

export const indexEntry = ({ at, stream, revision }: BlockEntry): IndexEntry => ({
  ...{ position: positionFromNumber(at), stream, revision },
});

/** A full block takes a kilobyte; the last of an owner is written anew until it is full. */
export const BLOCK_ENTRIES = 128;

/** Blocks that hold these entries, of which those up to the end of `last` are already in it. */
export function extendedBlocks(
  owner: string,
  last: IndexBlock | undefined,
  entries: readonly BlockEntry[],
): readonly IndexBlock[] {
  const stored = last ? entriesOf(last) : [];
  const end = stored.at(-1)?.at ?? -1;
  const all = [...stored, ...entries.filter(({ at }) => at > end)];
  const writer = new ByteWriter();
  const blocks: IndexBlock[] = [];
  for (let from = 0; from < all.length; from += BLOCK_ENTRIES) {
    const part = all.slice(from, from + BLOCK_ENTRIES);
    if (part.length <= (from === 0 ? stored.length : 0)) continue;
    const first = positionFromNumber(part[0]!.at);
    blocks.push({ owner, first, count: part.length, bytes: bytesOf(part, writer) });
  }
  return blocks;
}

/**
 * An entry: the distance of its position to the one before, then twice the number of its stream in the block, plus 1
 * if revisions of the stream are missing in between; their count follows. A new stream is followed by its name and the
 * revision. A name: the number of the category, whose text follows the first time, then the id.
 */
function bytesOf(entries: readonly BlockEntry[], writer: ByteWriter): Uint8Array {
  const streams = new Map<string, { readonly number: number; revision: number }>();
  const categories: string[] = [];
  let before = entries[0]!.at;
  for (const { at, stream, revision } of entries) {
    writer.makeRoom(stream);
    writer.number(at - before);
    before = at;
    const known = streams.get(stream);
    if (known) {
      const missing = revision - known.revision - 1;
      writer.number(2 * known.number + (missing > 0 ? 1 : 0));
      if (missing > 0) writer.number(missing);
      known.revision = revision;
    } else {
      writer.number(2 * streams.size);
      streams.set(stream, { number: streams.size, revision });
      writeName(writer, stream, categories);
      writer.number(revision);
    }
  }
  return writer.take();
}

function writeName(writer: ByteWriter, stream: string, categories: string[]): void {
  const start = stream.indexOf('-') + 1;
  const known = categories.findIndex((category) => category.length === start && stream.startsWith(category));
  writer.number(known < 0 ? categories.length : known);
  if (known < 0) {
    const category = stream.slice(0, start);
    categories.push(category);
    writer.text(category);
  }
  writer.id(stream, start);
}

export function entriesOf({ first, count, bytes }: IndexBlock): readonly BlockEntry[] {
  const reader = new ByteReader(bytes);
  const streams: { readonly name: string; revision: number }[] = [];
  const categories: string[] = [];
  const entries: BlockEntry[] = [];
  let at = Number(first);
  while (entries.length < count) {
    at += reader.number();
    const code = reader.number();
    let stream = streams[code >> 1];
    if (stream) stream.revision += 1 + (code % 2 ? reader.number() : 0);
    else {
      const name = readName(reader, categories);
      streams.push((stream = { name, revision: reader.number() }));
    }
    entries.push({ at, stream: stream.name, revision: stream.revision });
  }
  return entries;
}

function readName(reader: ByteReader, categories: string[]): string {
  const number = reader.number();
  if (number === categories.length) categories.push(reader.text());
  return categories[number]! + reader.id();
}
