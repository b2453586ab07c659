import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import { type BlockEntry, type IndexEntry, indexEntry, placeOf } from './index-block.js';

/** An event, wherever it is stored. */
export type Mark = Pick<RecordedEvent, 'position' | 'stream' | 'revision' | 'id'>;

/** Numbers of the entries of an owner, in order. */
type Numbers = number[];

/** A stream in the tail, with what its owners have. */
export interface TailStream {
  readonly name: string;
  readonly owners: readonly string[];
  readonly entries: readonly Numbers[];
}

/**
 * Entries that are not stored yet, in memory: all of the log between `start` and `end`. They are columns of numbers,
 * because the collection of garbage would copy an object for each.
 */
export class IndexTail {
  private readonly owners = new Map<string, Numbers>();
  private readonly streams = new Map<string, TailStream>();
  private positions: number[] = [];
  private revisions: number[] = [];
  private streamsOf: TailStream[] = [];
  /** Entries are numbered from the first that the tail ever had. */
  private dropped = 0;
  private count = 0;
  private first: Position;
  private last: Position;
  private newestMark: Mark | undefined;

  /** @param start '' for the beginning of the log */
  constructor(start: Position) {
    this.first = start;
    this.last = start;
  }

  /** The stored index is used up to here. */
  get start(): Position {
    return this.first;
  }

  /** The log was read up to here. */
  get end(): Position {
    return this.last;
  }

  /** Number of entries; one for each owner of an event. */
  get size(): number {
    return this.count;
  }

  /** The last event with owners; undefined if there is none after the start. */
  get mark(): Mark | undefined {
    return this.newestMark;
  }

  ownersWithEntries(): readonly string[] {
    return [...this.owners.keys()];
  }

  /** Undefined for a stream that was not opened since its last entry was dropped. */
  find(stream: string): TailStream | undefined {
    return this.streams.get(stream);
  }

  /** Undefined for a stream without owners. */
  open(name: string, owners: readonly string[]): TailStream | undefined {
    if (owners.length === 0) return undefined;
    const entries = owners.map((owner) => {
      const known = this.owners.get(owner) ?? [];
      this.owners.set(owner, known);
      return known;
    });
    const stream = { name, owners, entries };
    this.streams.set(name, stream);
    return stream;
  }

  /**
   * The next event of the log, with its stream if it is public. Ignored if it was dropped while it was read: another
   * instance has stored it.
   */
  add(event: Mark, stream: TailStream | undefined): void {
    if (event.position <= this.last) return;
    this.last = event.position;
    if (!stream) return;
    const number = this.dropped + this.positions.length;
    this.positions.push(Number(event.position));
    this.revisions.push(event.revision);
    this.streamsOf.push(stream);
    for (const entries of stream.entries) entries.push(number);
    this.count += stream.entries.length;
    this.newestMark = event;
  }

  entriesOf(owner: string): readonly BlockEntry[] {
    return (this.owners.get(owner) ?? []).map((number) => this.entry(number));
  }

  after(owner: string, position: Position, max: number): readonly IndexEntry[] {
    const entries = this.owners.get(owner) ?? [];
    const from = firstAfter(
      entries.length,
      (n) => this.positions[entries[n]! - this.dropped]!,
      placeOf(position),
    );
    return entries.slice(from, from + max).map((number) => indexEntry(this.entry(number)));
  }

  newest(owner: string): IndexEntry | undefined {
    const number = this.owners.get(owner)?.at(-1);
    return number === undefined ? undefined : indexEntry(this.entry(number));
  }

  /** Entries up to `position` are stored. */
  drop(position: Position): void {
    if (position <= this.first) return;
    this.first = position;
    if (position > this.last) this.last = position;
    const gone = firstAfter(this.positions.length, (n) => this.positions[n]!, placeOf(position));
    this.dropped += gone;
    this.positions = this.positions.slice(gone);
    this.revisions = this.revisions.slice(gone);
    this.streamsOf = this.streamsOf.slice(gone);
    for (const [owner, entries] of this.owners) {
      const stored = firstAfter(entries.length, (n) => entries[n]!, this.dropped - 1);
      entries.splice(0, stored);
      this.count -= stored;
      if (entries.length === 0) this.owners.delete(owner);
    }
    this.streams.clear();
    for (const stream of this.streamsOf) this.streams.set(stream.name, stream);
  }

  private entry(number: number): BlockEntry {
    const n = number - this.dropped;
    return { at: this.positions[n]!, stream: this.streamsOf[n]!.name, revision: this.revisions[n]! };
  }
}

function firstAfter(length: number, valueAt: (n: number) => number, value: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(middle) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
