const BLOCK = 512;

/** Where an entry stands; valid until the list changes. */
export interface Position {
  readonly block: number;
  readonly slot: number;
}

/** Entries in order, in blocks small enough to move on an insert. */
export class OrderedList<E> {
  private blocks: E[][] = [[]];

  constructor(private readonly compare: (a: E, b: E) => number) {}

  add(entry: E): void {
    const { block, slot } = this.first((other) => this.compare(other, entry) < 0);
    const entries = this.blocks[block]!;
    if (slot === entries.length) entries.push(entry);
    else entries.splice(slot, 0, entry);
    if (entries.length > BLOCK) this.split(block);
  }

  remove(entry: E): void {
    const { block, slot } = this.first((other) => this.compare(other, entry) < 0);
    const entries = this.blocks[block]!;
    if (slot >= entries.length || this.compare(entries[slot]!, entry) !== 0) return;
    entries.splice(slot, 1);
    if (entries.length === 0 && this.blocks.length > 1) this.blocks.splice(block, 1);
  }

  /** All at once, much faster than one by one. */
  fill(entries: E[]): void {
    entries.sort(this.compare);
    this.blocks = [];
    for (let at = 0; at < entries.length; at += BLOCK / 2)
      this.blocks.push(entries.slice(at, at + BLOCK / 2));
    if (this.blocks.length === 0) this.blocks.push([]);
  }

  /** The first entry that is not before; `isBefore` holds for a beginning of the list and for nothing after it. */
  first(isBefore: (entry: E) => boolean): Position {
    let low = 0;
    let high = this.blocks.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entries = this.blocks[middle]!;
      if (isBefore(entries[entries.length - 1]!)) low = middle + 1;
      else high = middle;
    }
    return { block: low, slot: firstIn(this.blocks[low]!, isBefore) };
  }

  /** How many entries lie from one position up to another. */
  between(from: Position, to: Position): number {
    if (from.block === to.block) return Math.max(0, to.slot - from.slot);
    if (from.block > to.block) return 0;
    let count = this.blocks[from.block]!.length - from.slot + to.slot;
    for (let block = from.block + 1; block < to.block; block++) count += this.blocks[block]!.length;
    return count;
  }

  *ascending(from: Position, to: Position): Generator<E> {
    for (let { block, slot } = from; block <= to.block; block++, slot = 0) {
      const entries = this.blocks[block]!;
      const end = block === to.block ? to.slot : entries.length;
      for (; slot < end; slot++) yield entries[slot]!;
    }
  }

  *descending(from: Position, to: Position): Generator<E> {
    for (let block = to.block; block >= from.block; block--) {
      const entries = this.blocks[block]!;
      const start = block === from.block ? from.slot : 0;
      for (let slot = (block === to.block ? to.slot : entries.length) - 1; slot >= start; slot--)
        yield entries[slot]!;
    }
  }

  private split(block: number): void {
    const entries = this.blocks[block]!;
    // What grows at its end keeps full blocks behind it.
    const half = block === this.blocks.length - 1 ? entries.length - 1 : entries.length >>> 1;
    this.blocks.splice(block + 1, 0, entries.splice(half));
  }
}

function firstIn<E>(entries: readonly E[], isBefore: (entry: E) => boolean): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(entries[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
