import { ObjectId } from 'bson';
import { encode } from '../bson/compose.js';
import { orderedAt, type Ordered } from '../bson/order.js';
import { idElement, withId, type Raw } from '../bson/raw.js';
import { ServerError } from '../server-error.js';
import { CollectionIndex, type IndexDefinition, type Key } from './collection-index.js';
import { keyPart } from './index-keys.js';
import type { Stored } from './stored.js';

/** https://www.mongodb.com/docs/manual/reference/limits/#mongodb-limit-BSON-Document-Size */
export const MAX_BYTES = 16 * 1024 * 1024;

const ID: IndexDefinition = {
  ...{ name: '_id_', parts: [keyPart('_id', 1)], unique: true },
  spec: { v: 2, key: { _id: 1 }, name: '_id_' },
};

export type Change = 'insert' | 'update' | 'delete' | 'drop';

export class Collection {
  /** Of change streams. */
  readonly watchers = new Set<(change: Change, id?: Ordered) => void>();
  indexes: readonly CollectionIndex[] = [];
  private readonly documents = new Map<Ordered, Stored>();
  /** Ordered by `_id`; made when a query first wants an order, equality is answered by the map. */
  private idIndex: CollectionIndex | undefined;
  private lastRecord = 0;

  constructor(readonly namespace: string) {}

  get size(): number {
    return this.documents.size;
  }

  get(id: Ordered): Stored | undefined {
    return this.documents.get(id);
  }

  all(): IterableIterator<Stored> {
    return this.documents.values();
  }

  byId(): CollectionIndex {
    if (!this.idIndex) {
      this.idIndex = new CollectionIndex(ID);
      this.idIndex.build(this.documents.values());
    }
    return this.idIndex;
  }

  /** With an ObjectId where the document has no `_id`: mongod's fixDocumentForInsert. */
  insert(given: Raw): Stored {
    if (given.length > MAX_BYTES)
      throw new ServerError(
        'BadValue',
        `object to insert too large. size in bytes: ${given.length}, max size: ${MAX_BYTES}`,
      );
    const raw = withId(given, idElement(given) ?? encode({ _id: new ObjectId() }).subarray(4, -1));
    const id = orderedAt(raw, { type: raw[4]!, at: 9 });
    if (this.documents.has(id)) throw this.duplicateId(raw);
    const stored = { id, raw, record: ++this.lastRecord };
    this.index(stored, undefined, raw);
    this.documents.set(id, stored);
    this.tell('insert', stored);
    return stored;
  }

  replace(stored: Stored, raw: Raw): void {
    if (raw.length > MAX_BYTES)
      throw new ServerError(
        'DocumentTooLargeAfterUpdate',
        `Resulting document after update is larger than ${MAX_BYTES}`,
      );
    this.index(stored, stored.raw, raw);
    stored.raw = raw;
    this.tell('update', stored);
  }

  remove(stored: Stored): void {
    for (const index of this.maintained()) index.remove(stored, index.keyOf(stored.raw));
    this.documents.delete(stored.id);
    this.tell('delete', stored);
  }

  duplicateId(raw: Raw): ServerError {
    return new CollectionIndex(ID).duplicate(this.namespace, raw);
  }

  addIndex(definition: IndexDefinition): void {
    const index = new CollectionIndex(definition);
    if (definition.unique) this.buildUnique(index);
    else index.build(this.documents.values());
    this.indexes = [...this.indexes, index];
  }

  dropIndexes(dropped: (index: CollectionIndex) => boolean): void {
    this.indexes = this.indexes.filter((index) => !dropped(index));
  }

  private tell(change: Change, { id }: Stored): void {
    for (const watcher of this.watchers) watcher(change, id);
  }

  private buildUnique(index: CollectionIndex): void {
    for (const stored of this.documents.values()) {
      const key = index.keyOf(stored.raw);
      if (index.rival(key, stored.record)) throw index.duplicate(this.namespace, stored.raw);
      index.add(stored, key);
    }
  }

  private maintained(): readonly CollectionIndex[] {
    return this.idIndex ? [this.idIndex, ...this.indexes] : this.indexes;
  }

  /** All unique indexes are asked before one is touched: a document is stored whole or not at all. */
  private index(stored: Stored, old: Raw | undefined, raw: Raw): void {
    const moves: { index: CollectionIndex; before: Key | undefined; after: Key | undefined }[] = [];
    for (const index of this.maintained()) {
      const before = old && index.keyOf(old);
      const after = index.keyOf(raw);
      if (isSame(before, after)) continue;
      if (index.definition.unique && index.rival(after, stored.record))
        throw index.duplicate(this.namespace, raw);
      moves.push({ index, before, after });
    }
    for (const { index, before, after } of moves) {
      index.remove(stored, before);
      index.add(stored, after);
    }
  }
}

const isSame = (a: Key | undefined, b: Key | undefined) =>
  a === b || (a !== undefined && b !== undefined && a.every((value, part) => value === b[part]));
