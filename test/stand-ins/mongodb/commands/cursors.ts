import { Long } from 'bson';
import { numberOf, RawDocument, type Document } from '../bson/compose.js';
import type { Raw } from '../bson/raw.js';
import { ServerError } from '../server-error.js';

/** https://www.mongodb.com/docs/manual/tutorial/iterate-a-cursor/#cursor-batches */
const FIRST_BATCH = 101;
const MAX_BATCH_BYTES = 16 * 1024 * 1024;

interface Open {
  readonly namespace: string;
  readonly documents: readonly Raw[];
  next: number;
}

/** A cursor hands out what its query found when it was asked; later writes do not show in it. */
export class Cursors {
  private readonly cursors = new Map<string, Open>();
  private lastId = 0n;

  get open(): number {
    return this.cursors.size;
  }

  reply(namespace: string, documents: readonly Raw[], batchSize: unknown, single = false): Document {
    const cursor = { namespace, documents, next: 0 };
    const firstBatch = batch(cursor, batchSize === undefined ? FIRST_BATCH : numberOf(batchSize));
    const id = single || cursor.next >= documents.length ? 0n : ++this.lastId;
    if (id !== 0n) this.cursors.set(String(id), cursor);
    return { cursor: { firstBatch, id: Long.fromBigInt(id), ns: namespace }, ok: 1 };
  }

  more(id: Long, batchSize: unknown): Document {
    const cursor = this.cursors.get(String(id));
    if (!cursor) throw new ServerError('CursorNotFound', `cursor id ${String(id)} not found`);
    const nextBatch = batch(cursor, numberOf(batchSize) || Infinity);
    const isOver = cursor.next >= cursor.documents.length;
    if (isOver) this.cursors.delete(String(id));
    return { cursor: { nextBatch, id: isOver ? Long.ZERO : id, ns: cursor.namespace }, ok: 1 };
  }

  kill(ids: readonly Long[]): Document {
    const cursorsKilled = ids.filter((id) => this.cursors.delete(String(id)));
    const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
    return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [], ok: 1 };
  }

  /** A restart leaves none. */
  clear(): void {
    this.cursors.clear();
  }
}

function batch(cursor: Open, size: number): RawDocument[] {
  const documents: RawDocument[] = [];
  for (let bytes = 0; documents.length < size && cursor.next < cursor.documents.length; cursor.next++) {
    const raw = cursor.documents[cursor.next]!;
    bytes += raw.length;
    if (documents.length > 0 && bytes > MAX_BATCH_BYTES) break;
    documents.push(new RawDocument(raw));
  }
  return documents;
}
