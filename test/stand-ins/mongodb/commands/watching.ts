import { Long } from 'bson';
import { numberOf, RawDocument, untyped, type Document } from '../bson/compose.js';
import type { Ordered } from '../bson/order.js';
import { documentOf, idElement } from '../bson/raw.js';
import { notServed } from '../server-error.js';
import type { Change, Collection } from '../storage/collection.js';
import { collectionName, madeOf, type Call } from './call.js';

/** Of a `getMore` that names no time: https://www.mongodb.com/docs/manual/reference/command/getMore/ */
const AWAIT_MS = 1_000;
/** Apart from those of other cursors. */
const FIRST_ID = 1n << 32n;

/** Every change since the first stream on the collection. */
class ChangeLog {
  readonly changes: { readonly change: Change; readonly id: Ordered | undefined }[] = [];
  private readonly waiting = new Set<() => void>();

  constructor(readonly collection: Collection) {
    collection.watchers.add((change, id) => {
      this.changes.push({ change, id });
      for (const wake of this.waiting) wake();
    });
  }

  after(place: number, ms: number): Promise<void> | undefined {
    if (place < this.changes.length) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(() => wake(), ms);
      const wake = () => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      this.waiting.add(wake);
    });
  }
}

interface Stream {
  readonly log: ChangeLog;
  readonly db: string;
  readonly coll: string;
  /** Changes before this one were handed out. */
  next: number;
}

/** Change streams of one collection, each change with the document as it is now. https://www.mongodb.com/docs/manual/reference/change-events/ */
export class ChangeStreams {
  private readonly logs = new Map<Collection, ChangeLog>();
  private readonly streams = new Map<string, Stream>();
  private lastId = FIRST_ID;

  get open(): number {
    return this.streams.size;
  }

  begin(call: Call, stage: Document): Document {
    const { resumeAfter, fullDocument, ...others } = untyped(stage);
    if (fullDocument !== 'updateLookup' || Object.keys(others).length > 0)
      throw notServed('a change stream without updateLookup, or with other options');
    const collection = madeOf(call);
    const log = this.logs.get(collection) ?? new ChangeLog(collection);
    this.logs.set(collection, log);
    const next = Number((resumeAfter as Document | undefined)?.['_data'] ?? log.changes.length);
    const stream = { log, db: call.command.db, coll: collectionName(call), next };
    const id = Long.fromBigInt(++this.lastId);
    this.streams.set(String(id), stream);
    return replyOf(stream, id, { firstBatch: [] });
  }

  /** Undefined for another cursor. */
  more(id: Long, maxTimeMS: unknown): Promise<Document> | undefined {
    const stream = this.streams.get(String(id));
    return stream && this.next(stream, id, numberOf(maxTimeMS, AWAIT_MS));
  }

  private async next(stream: Stream, id: Long, ms: number): Promise<Document> {
    await stream.log.after(stream.next, ms);
    const nextBatch = stream.log.changes.slice(stream.next).map((_, n) => eventOf(stream, stream.next + n));
    stream.next += nextBatch.length;
    const isOver = nextBatch.some(({ operationType }) => operationType === 'drop');
    if (isOver) this.kill([id]);
    return replyOf(stream, isOver ? Long.ZERO : id, { nextBatch });
  }

  kill(ids: readonly Long[]): void {
    for (const id of ids) this.streams.delete(String(id));
  }

  /** A restart leaves none; a stream that resumes goes on. */
  clear(): void {
    this.streams.clear();
  }
}

const tokenOf = (place: number) => ({ _data: String(place) });

function eventOf({ log, db, coll }: Stream, place: number) {
  const { change, id } = log.changes[place]!;
  const found = id === undefined ? undefined : log.collection.get(id)?.raw;
  return {
    ...{ _id: tokenOf(place + 1), operationType: change, ns: { db, coll } },
    ...(found && {
      documentKey: new RawDocument(documentOf([idElement(found)!])),
      fullDocument: new RawDocument(found),
    }),
  };
}

function replyOf({ db, coll, next }: Stream, id: Long, batch: Document): Document {
  return { cursor: { ...batch, id, ns: `${db}.${coll}`, postBatchResumeToken: tokenOf(next) }, ok: 1 };
}
