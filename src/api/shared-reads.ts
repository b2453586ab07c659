import { LRUCache } from 'lru-cache';
import type { Position } from '../kernel/recorded-event.js';
import type { ChangesPart } from './change-cursors.js';

/** In characters, of all parts that are kept for readers that come to the same place a little later. */
const KEPT = 16_000_000;

interface Reader {
  hasLeft(): boolean;
}

interface Read {
  /** End of the index when it began. */
  readonly end: Position;
  /** While it is under way: those of a kept part would hold their connections. */
  readonly readers?: Reader[];
  readonly part: Promise<ChangesPart>;
  /** Nothing that comes later changes it. */
  readonly isWhole: boolean;
  readonly size: number;
}

/** Readers that want the same from the same place share a read, so that 1,000 streams of an account read once. */
export class SharedReads {
  private readonly reads = new LRUCache<string, Read>({
    maxSize: KEPT,
    sizeCalculation: ({ size }) => size,
  });

  /** @param begin reads for those that share it, until all of them have left */
  read(
    key: string,
    end: Position,
    reader: Reader,
    begin: (hasLeft: () => boolean) => Promise<ChangesPart>,
  ): Promise<ChangesPart> {
    const known = this.reads.get(key);
    if (known && (known.isWhole || known.end === end)) {
      known.readers?.push(reader);
      return known.part;
    }
    const readers = [reader];
    const hasLeft = () => readers.every((one) => one.hasLeft());
    const read: Read = { end, readers, part: begin(hasLeft), isWhole: false, size: 1 };
    this.reads.set(key, read);
    const keep = ({ items, hasMore }: ChangesPart) => {
      if (this.reads.peek(key) !== read) return;
      const size = items.reduce((sum, { json }) => sum + json.length, 1);
      // Those who left may have stopped it anywhere.
      if (hasLeft()) this.reads.delete(key);
      else this.reads.set(key, { end, part: read.part, isWhole: hasMore, size });
    };
    const drop = () => {
      if (this.reads.peek(key) === read) this.reads.delete(key);
    };
    read.part.then(keep, drop);
    return read.part;
  }

  /** After a rollback of the log. */
  clear(): void {
    this.reads.clear();
  }
}
