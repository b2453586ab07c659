import { randomUUID } from 'node:crypto';
import { checkCommit, type CommitDecision, type CommittedIds, type Expected } from './commit-check.js';
import { DelayedQueue } from './delayed-queue.js';
import { encodeReadResponse, systemEvent, type ProposedEvent } from './event-encoding.js';
import { RecordLog } from './record-log.js';
import {
  DELETED_STREAM,
  isHidden,
  isMetastream,
  lastRevision,
  metadataIn,
  metastreamOf,
  originalStreamOf,
  recreation,
  softDeletion,
  storedStream,
  type StoredStream,
} from './stored-stream.js';

type Refused = Extract<CommitDecision, { kind: 'wrong-version' | 'deleted' }>;

export type Written =
  | { readonly kind: 'written'; readonly revision: number; readonly position: number }
  /** Repeats a write that has not been committed yet. */
  | { readonly kind: 'in-flight' }
  | Refused;

/** Ordinals of the events just committed, without the end. */
type CommitListener = (from: number, end: number) => void;

/** Bytes that a write without events takes in the log. */
const EMPTY_WRITE = 64;

/**
 * All events in the order of their positions, in memory. A write is decided and placed at once, against all writes
 * before it; it is answered and readable only once it is committed.
 */
export class EventLog implements CommittedIds {
  private readonly log = new RecordLog();
  private readonly ids: string[] = [];
  private readonly types: string[] = [];
  private readonly createdAt: number[] = [];
  private readonly streamOf: StoredStream[] = [];
  private readonly streams = new Map<string, StoredStream>();
  /** Ordinal by id and stream, lost with the process. source: IndexWriter._committedEvents, without its limit */
  private readonly recentIds = new Map<string, number>();
  private readonly listeners = new Set<CommitListener>();
  private readonly commits: DelayedQueue;
  private committed = 0;
  private readonly scavenged = new Set<number>();
  /** A scavenge rewrites what was written before it. */
  private rewrittenTo = 0;

  /** From the write to its commit, in ms. */
  constructor(commitMs: () => number) {
    this.commits = new DelayedQueue(commitMs);
  }

  /** Ordinals of committed events run from 0 to here. */
  get length(): number {
    return this.committed;
  }

  /** Position behind the last record. */
  get end(): number {
    return this.log.end;
  }

  /** Answers a conflict at once, a success when it is committed. */
  async append(name: string, expected: Expected, events: readonly ProposedEvent[]): Promise<Written> {
    const stream = this.streamNamed(name);
    const ids = events.map(({ id }) => id);
    const decision = checkCommit(stream, expected, ids, this);
    if (decision.kind === 'repeated') {
      if (decision.lastOrdinal >= this.committed) return { kind: 'in-flight' };
      // source: StorageMessage.AlreadyCommitted – revision and position of the first time
      return {
        kind: 'written',
        revision: decision.lastRevision,
        position: this.positionAt(decision.lastOrdinal),
      };
    }
    if (decision.kind !== 'write') return decision;
    const recreatedFrom = stream.ordinals.length;
    for (const event of events) this.store(stream, event);
    const revision = lastRevision(stream);
    // source: AppendResp position = that of the last event of the append
    const position = events.length > 0 ? this.lastPosition : this.log.skip(EMPTY_WRITE);
    const committed = this.commitSoon();
    // A commit of its own: for a moment the stream has its new events and still looks deleted.
    if (decision.undelete) {
      this.writeMetadata(name, recreation(stream.metadata, recreatedFrom));
      void this.commitSoon();
    }
    await committed;
    return { kind: 'written', revision, position };
  }

  /** Hides what is there and frees the name; numbering continues. source: StorageWriterService.Handle(WriteDelete) */
  softDelete(name: string, expected: Expected): Promise<Written> {
    return this.delete(name, expected, (stream) => this.writeMetadata(name, softDeletion(stream.metadata)));
  }

  /** Closes the stream for ever. source: StorageWriterService.Handle(WriteDelete), hard */
  tombstone(name: string, expected: Expected): Promise<Written> {
    return this.delete(name, expected, (stream) => {
      this.place(stream, systemEvent('$streamDeleted', Buffer.alloc(0)), String(DELETED_STREAM));
      stream.tombstoned = true;
    });
  }

  /** Stores and commits an event as it is, whatever stands in the stream; answers its revision and position. */
  inject(name: string, proposed: ProposedEvent): { revision: number; position: number } {
    const stream = this.streamNamed(name);
    const ordinal = this.store(stream, proposed);
    this.commits.flush();
    this.commit(this.log.length);
    return { revision: lastRevision(stream), position: this.positionAt(ordinal) };
  }

  /** Changes the first such text in the stored record of an event. @throws Error if there is none, or lengths differ */
  alter(name: string, revision: number, from: string, to: string): void {
    const record = this.log.read(this.streams.get(name)!.ordinals[revision]!);
    const at = record.indexOf(from);
    if (at < 0 || Buffer.byteLength(from) !== Buffer.byteLength(to))
      throw new Error(`event ${revision} of ${name} has no ${from} to replace by ${to}`);
    record.write(to, at);
  }

  find(name: string): StoredStream | undefined {
    return this.streams.get(name);
  }

  private streamNamed(name: string): StoredStream {
    const known = this.streams.get(name);
    if (known) return known;
    const created = storedStream(name);
    this.streams.set(name, created);
    return created;
  }

  /** The encoded `ReadResp`. */
  responseAt(ordinal: number): Buffer {
    return this.log.read(ordinal);
  }

  positionAt = (ordinal: number): number => this.log.offsetAt(ordinal);
  idAt = (ordinal: number): string => this.ids[ordinal]!;
  typeAt = (ordinal: number): string => this.types[ordinal]!;
  streamNameAt = (ordinal: number): string => this.streamOf[ordinal]!.name;
  createdAtOf = (ordinal: number): number => this.createdAt[ordinal]!;
  recent = (id: string, stream: StoredStream): number | undefined =>
    this.recentIds.get(`${id} ${stream.name}`);

  /** Whether a record begins at this position; where a scavenge has been, a position stands for the next record. */
  isPlace = (position: number): boolean => position < this.rewrittenTo || this.log.isPlace(position);
  /** Ordinal of the first event at this position or later. */
  ordinalFrom = (position: number): number => this.log.ordinalFrom(position);

  /** Commits what has waited longest. */
  commitNext(): void {
    this.commits.runNext();
  }

  isScavenged = (ordinal: number): boolean => this.scavenged.has(ordinal);

  /** Ordinal of the first event at this position or later that no scavenge took. */
  leftFrom(position: number): number {
    let ordinal = this.ordinalFrom(position);
    while (this.isScavenged(ordinal)) ordinal += 1;
    return ordinal;
  }

  /** Frees hidden events, but never the last of a stream. */
  scavenge(): number {
    for (const stream of this.streams.values()) {
      const hidden = (ordinal: number, revision: number) =>
        isHidden(stream, revision, this.createdAt[ordinal]!);
      stream.ordinals
        .slice(0, -1)
        .filter(hidden)
        .forEach((ordinal) => this.scavenged.add(ordinal));
    }
    this.rewrittenTo = this.end;
    return this.scavenged.size;
  }

  onCommitted(listener: CommitListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** What a process keeps in memory only is gone after a restart; what it wrote is committed then. */
  forget(): void {
    this.commits.flush();
    this.recentIds.clear();
  }

  private async delete(
    name: string,
    expected: Expected,
    write: (stream: StoredStream) => void,
  ): Promise<Written> {
    const stream = this.streamNamed(name);
    const decision = checkCommit(stream, expected, [randomUUID()], this);
    if (decision.kind !== 'write') return decision as Refused;
    if (expected === 'any' && lastRevision(stream) < 0) return { kind: 'wrong-version', current: -1 };
    write(stream);
    const position = this.lastPosition;
    await this.commitSoon();
    return { kind: 'written', revision: lastRevision(stream), position };
  }

  private store(stream: StoredStream, proposed: ProposedEvent): number {
    const ordinal = this.place(stream, proposed, String(stream.ordinals.length));
    stream.ordinals.push(ordinal);
    const key = `${proposed.id} ${stream.name}`;
    if (!this.recentIds.has(key)) this.recentIds.set(key, ordinal);
    if (isMetastream(stream.name)) {
      this.streamNamed(originalStreamOf(stream.name)).metadata = metadataIn(proposed.data);
    }
    return ordinal;
  }

  /** Commits every event placed so far, in order, after earlier commits. */
  private commitSoon(): Promise<void> {
    const end = this.log.length;
    return new Promise((resolve) =>
      this.commits.add(() => {
        this.commit(end);
        resolve();
      }),
    );
  }

  private commit(end: number): void {
    const from = this.committed;
    for (; this.committed < end; this.committed += 1) this.show(this.committed);
    for (const listener of this.listeners) listener(from, end);
  }

  private show(ordinal: number): void {
    const stream = this.streamOf[ordinal]!;
    if (this.types[ordinal] === '$streamDeleted') stream.shown.tombstoned = true;
    else stream.shown.length += 1;
    if (!isMetastream(stream.name)) return;
    const original = this.streamNamed(originalStreamOf(stream.name));
    original.shown.metadata = original.metadata;
  }

  private writeMetadata(name: string, data: Buffer): void {
    this.store(this.streamNamed(metastreamOf(name)), systemEvent('$metadata', data));
  }

  private get lastPosition(): number {
    return this.positionAt(this.log.length - 1);
  }

  private place(stream: StoredStream, proposed: ProposedEvent, revision: string): number {
    const created = Date.now();
    this.ids.push(proposed.id);
    this.types.push(proposed.type);
    this.createdAt.push(created);
    this.streamOf.push(stream);
    return this.log.write((position) =>
      encodeReadResponse({ ...proposed, stream: stream.name, revision, position, created }),
    );
  }
}
