import { positionFromNumber } from '../write/event-codec.js';
import type { IndexBlock } from '../ports/index-blocks.port.js';
import { isUuid, uuidBytes, uuidOfHex } from '../../kernel/ids.js';
import type { Position } from '../../kernel/recorded-event.js';

export interface IndexEntry {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
}

/** A full block takes a kilobyte; the last of an owner is written anew until it is full. */
export const BLOCK_ENTRIES = 128;

const UUID_BYTES = 16;

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

/**
 * An entry: the distance of its position to the one before, then twice the number of its stream in the block, plus 1
 * if revisions of the stream are missing in between; their count follows. A new stream is followed by its name and the
 * revision. Numbers are base 128, the lowest digits first.
 */
function bytesOf(entries: readonly IndexEntry[]): Uint8Array {
  const bytes: number[] = [];
  const streams = new Map<string, { readonly number: number; revision: number }>();
  const categories: string[] = [];
  let before = Number(entries[0]!.position);
  for (const { position, stream, revision } of entries) {
    put(bytes, Number(position) - before);
    before = Number(position);
    const known = streams.get(stream);
    if (known) {
      const missing = revision - known.revision - 1;
      put(bytes, 2 * known.number + (missing > 0 ? 1 : 0));
      if (missing > 0) put(bytes, missing);
      known.revision = revision;
    } else {
      put(bytes, 2 * streams.size);
      streams.set(stream, { number: streams.size, revision });
      putName(bytes, stream, categories);
      put(bytes, revision);
    }
  }
  return Uint8Array.from(bytes);
}

export function entriesOf({ first, count, bytes }: IndexBlock): readonly IndexEntry[] {
  const reader = new Reader(bytes);
  const streams: { readonly name: string; revision: number }[] = [];
  const categories: string[] = [];
  const entries: IndexEntry[] = [];
  let at = Number(first);
  while (entries.length < count) {
    at += reader.number();
    const code = reader.number();
    let stream = streams[code >> 1];
    if (stream) stream.revision += 1 + (code % 2 ? reader.number() : 0);
    else {
      const name = reader.name(categories);
      streams.push((stream = { name, revision: reader.number() }));
    }
    entries.push({ position: positionFromNumber(at), stream: stream.name, revision: stream.revision });
  }
  return entries;
}

function put(bytes: number[], number: number): void {
  let rest = number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

function putText(bytes: number[], text: string): void {
  const encoded = Buffer.from(text);
  put(bytes, encoded.length);
  bytes.push(...encoded);
}

/** The number of the category, whose name follows the first time; then the bytes of a UUID after 0, or another id. */
function putName(bytes: number[], stream: string, categories: string[]): void {
  const dash = stream.indexOf('-') + 1;
  const [category, id] = [stream.slice(0, dash), stream.slice(dash)];
  const number = categories.indexOf(category);
  put(bytes, number < 0 ? categories.length : number);
  if (number < 0) {
    categories.push(category);
    putText(bytes, category);
  }
  if (!isUuid(id)) return putText(bytes, id);
  put(bytes, 0);
  bytes.push(...uuidBytes(id));
}

class Reader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  number(): number {
    let number = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = this.bytes[this.at++]!;
      number += (byte % 128) * unit;
      if (byte < 128) return number;
    }
  }

  name(categories: string[]): string {
    const number = this.number();
    if (number === categories.length) categories.push(this.take(this.number()).toString());
    const length = this.number();
    if (length > 0) return categories[number]! + this.take(length).toString();
    return categories[number]! + uuidOfHex(this.take(UUID_BYTES).toString('hex'));
  }

  private take(length: number): Buffer {
    const { buffer, byteOffset } = this.bytes;
    this.at += length;
    return Buffer.from(buffer, byteOffset + this.at - length, length);
  }
}
