import { encode, type Document } from '../bson/compose.js';
import type { Raw } from '../bson/raw.js';
import type { Ordered } from '../bson/order.js';
import { isOperators } from '../query/conditions.js';
import { matcher, type Matcher } from '../query/matcher.js';
import { decodedAt } from '../query/values.js';
import { ServerError } from '../server-error.js';
import { IndexKeys, type KeyPart } from './index-keys.js';
import { OrderedList, type Position } from './ordered-list.js';
import type { Stored } from './stored.js';

export interface IndexDefinition {
  readonly name: string;
  readonly parts: readonly KeyPart[];
  readonly unique: boolean;
  readonly partial?: Document;
  readonly expireAfterSeconds?: number;
  /** As `createIndexes` gave it, for `listIndexes`. */
  readonly spec: Document;
}

export type Key = readonly Ordered[];

export interface Entry {
  readonly key: Key;
  readonly stored: Stored;
}

/** Bounds of the field after `prefix`, in the order of the index. */
export interface Bound {
  readonly value: Ordered;
  readonly inclusive: boolean;
}

export interface Range {
  readonly prefix: Key;
  readonly low?: Bound;
  readonly high?: Bound;
}

export class CollectionIndex {
  private readonly keys: IndexKeys;
  private readonly covers: Matcher;
  private readonly entries: OrderedList<Entry>;

  constructor(readonly definition: IndexDefinition) {
    this.keys = new IndexKeys(definition.parts);
    this.covers = definition.partial ? matcher(definition.partial) : () => true;
    this.entries = new OrderedList((a, b) => this.compare(a.key, b.key) || a.stored.record - b.stored.record);
  }

  /** Undefined for a document that a partial index leaves out. */
  keyOf(raw: Raw): Key | undefined {
    return this.covers(raw) ? this.keys.of(raw) : undefined;
  }

  /** The document that has the key already, the one of this record apart. */
  rival(key: Key | undefined, record: number): Stored | undefined {
    if (!key) return undefined;
    for (const { stored } of this.entries.ascending(...this.positions({ prefix: key })))
      if (stored.record !== record) return stored;
    return undefined;
  }

  add(stored: Stored, key: Key | undefined): void {
    if (key) this.entries.add({ key, stored });
  }

  remove(stored: Stored, key: Key | undefined): void {
    if (key) this.entries.remove({ key, stored });
  }

  /** Of a collection that has documents already. */
  build(documents: Iterable<Stored>): void {
    const entries = Array.from(documents, (stored) => ({ key: this.keyOf(stored.raw), stored }));
    this.entries.fill(entries.filter((entry): entry is Entry => entry.key !== undefined));
  }

  count(range: Range): number {
    return this.entries.between(...this.positions(range));
  }

  scan(range: Range, direction: 1 | -1): Generator<Entry> {
    const [from, to] = this.positions(range);
    return direction === 1 ? this.entries.ascending(from, to) : this.entries.descending(from, to);
  }

  /** Whether a partial index would keep a document for this value of a field. */
  keeps(path: string, value: unknown): boolean {
    const kept = this.definition.partial?.[path];
    // A query for null asks for what lacks the field as well.
    if (value === null && isOperators(kept) && '$exists' in kept) return false;
    return matcher({ v: kept })(encode({ v: value }));
  }

  /** Keys in the order of the index, or as far as the shorter one goes. */
  compare(a: Key, b: Key): number {
    return this.compareFrom(0, a, b);
  }

  compareFrom(part: number, a: Key, b: Key): number {
    const length = Math.min(a.length, b.length);
    for (let n = part; n < length; n++) {
      const left = a[n]!;
      const right = b[n]!;
      if (left !== right) return (left < right ? -1 : 1) * this.definition.parts[n]!.direction;
    }
    return 0;
  }

  private positions({ prefix, low, high }: Range): [Position, Position] {
    const n = prefix.length;
    const against = (entry: Entry, bound: Bound) =>
      entry.key[n] === bound.value
        ? 0
        : (entry.key[n]! < bound.value ? -1 : 1) * this.definition.parts[n]!.direction;
    const from = this.entries.first((entry) => {
      const order = this.compare(entry.key, prefix);
      if (order !== 0 || !low) return order < 0;
      const inRange = against(entry, low);
      return inRange < 0 || (inRange === 0 && !low.inclusive);
    });
    const to = this.entries.first((entry) => {
      const order = this.compare(entry.key, prefix);
      if (order !== 0 || !high) return order <= 0;
      const inRange = against(entry, high);
      return inRange < 0 || (inRange === 0 && high.inclusive);
    });
    return [from, to];
  }

  /** Text and fields: buildDupKeyErrorStatus (src/mongo/db/storage/index_entry_comparison.cpp). */
  duplicate(namespace: string, raw: Raw): ServerError {
    const { name, parts } = this.definition;
    const keyPattern = Object.fromEntries(parts.map((part) => [part.name, part.direction]));
    const keyValue = Object.fromEntries(parts.map(({ name, path }) => [name, decodedAt(raw, path)]));
    const shown = parts.map((part) => `${part.name}: ${inShell(keyValue[part.name])}`).join(', ');
    return new ServerError(
      'DuplicateKey',
      `E11000 duplicate key error collection: ${namespace} index: ${name} dup key: { ${shown} }`,
      { keyPattern, keyValue },
    );
  }
}

const inShell = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : String(value));
