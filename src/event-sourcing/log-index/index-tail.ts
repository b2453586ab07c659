import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { IndexEntry } from './index-block.js';

/** An event, wherever it is stored. */
export type Mark = Pick<RecordedEvent, 'position' | 'stream' | 'revision' | 'id'>;

/** Entries that are not stored yet, in memory: all of the log between `start` and `end`. */
export class IndexTail {
  private readonly owners = new Map<string, IndexEntry[]>();
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

  /** The next event of the log. Ignored if it was dropped while it was read: another instance has stored it. */
  add({ position, stream, revision, id }: Mark, owners: readonly string[]): void {
    if (position <= this.last) return;
    const entry = { position, stream, revision };
    for (const owner of owners) {
      const known = this.owners.get(owner);
      if (known) known.push(entry);
      else this.owners.set(owner, [entry]);
    }
    this.count += owners.length;
    if (owners.length > 0) this.newestMark = { ...entry, id };
    this.last = position;
  }

  after(owner: string, position: Position, max: number): readonly IndexEntry[] {
    const entries = this.owners.get(owner) ?? [];
    const from = firstAfter(entries, position);
    return entries.slice(from, from + max);
  }

  newest(owner: string): IndexEntry | undefined {
    return this.owners.get(owner)?.at(-1);
  }

  /** Entries up to `position` are stored. */
  drop(position: Position): void {
    if (position <= this.first) return;
    this.first = position;
    if (position > this.last) this.last = position;
    for (const [owner, entries] of this.owners) {
      const dropped = entries.splice(0, firstAfter(entries, position)).length;
      this.count -= dropped;
      if (entries.length === 0) this.owners.delete(owner);
    }
  }
}

function firstAfter(entries: readonly IndexEntry[], position: Position): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.position > position) high = middle;
    else low = middle + 1;
  }
  return low;
}
