import { randomUUID } from 'node:crypto';
import { checkCommit, type CommitDecision, type CommittedIds, type Expected } from './commit-check.js';
import { encodeReadResponse, type ProposedEvent } from './event-encoding.js';
import { RecentIds } from './recent-ids.js';
import { RecordLog } from './record-log.js';
import {
  DELETED_STREAM,
  isMetastream,
  lastRevision,
  metadataIn,
  metastreamOf,
  originalStreamOf,
  softDeletion,
  storedStream,
  type StoredStream,
  type StreamMetadata,
} from './stored-stream.js';

export type Written =
  | { readonly kind: 'written'; readonly revision: number; readonly position: number | undefined }
  | Extract<CommitDecision, { kind: 'wrong-version' | 'deleted' }>;

/** All events in the order of their positions, with what finds them again; a million of them fit into memory. */
export class EventLog implements CommittedIds {
  private readonly log = new RecordLog();
  private readonly positions: number[] = [];
  private readonly sizes: number[] = [];
  private readonly ids: string[] = [];
  private readonly types: string[] = [];
  private readonly createdAt: number[] = [];
  private readonly streamOf: StoredStream[] = [];
  private readonly streams = new Map<string, StoredStream>();
  private readonly knownTypes = new Map<string, string>();
  private readonly recentIds = new RecentIds();
  private readonly listeners = new Set<() => void>();

  /** Ordinals run from 0 to here. */
  get length(): number {
    return this.positions.length;
  }

  append(name: string, expected: Expected, events: readonly ProposedEvent[]): Written {
    const stream = this.streamNamed(name);
    const ids = events.map(({ id }) => id);
    const decision = checkCommit(stream, expected, ids, this);
    if (decision.kind === 'repeated') {
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
    const position = events.length > 0 ? this.positions.at(-1) : undefined;
    if (decision.undelete) this.writeMetadata(name, recreation(stream.metadata, recreatedFrom));
    this.wake();
    return { kind: 'written', revision, position };
  }

  /** Hides what is there and frees the name; numbering continues. source: StorageWriterService.Handle(WriteDelete) */
  softDelete(name: string, expected: Expected): Written {
    return this.delete(name, expected, (stream) => this.writeMetadata(name, softDeletion(stream.metadata)));
  }

  /** Closes the stream for ever. source: StorageWriterService.Handle(WriteDelete), hard */
  tombstone(name: string, expected: Expected): Written {
    return this.delete(name, expected, (stream) => {
      this.place(stream, event('$streamDeleted', Buffer.alloc(0)), String(DELETED_STREAM));
      stream.tombstoned = true;
    });
  }

  /** Stores an event as it is, whatever stands in the stream. */
  store(stream: StoredStream, proposed: ProposedEvent): number {
    const ordinal = this.place(stream, proposed, String(stream.ordinals.length));
    stream.ordinals.push(ordinal);
    this.recentIds.add(proposed.id, ordinal, stream.name);
    if (isMetastream(stream.name)) {
      this.streamNamed(originalStreamOf(stream.name)).metadata = metadataIn(proposed.data);
    }
    return ordinal;
  }

  find(name: string): StoredStream | undefined {
    return this.streams.get(name);
  }

  streamNamed(name: string): StoredStream {
    const known = this.streams.get(name);
    if (known) return known;
    const created = storedStream(name);
    this.streams.set(name, created);
    return created;
  }

  /** The encoded `ReadResp`. */
  responseAt(ordinal: number): Buffer {
    return this.log.read(this.positions[ordinal]!, this.sizes[ordinal]!);
  }

  positionAt = (ordinal: number): number => this.positions[ordinal]!;
  idAt = (ordinal: number): string => this.ids[ordinal]!;
  typeAt = (ordinal: number): string => this.types[ordinal]!;
  streamNameAt = (ordinal: number): string => this.streamOf[ordinal]!.name;
  createdAtOf = (ordinal: number): number => this.createdAt[ordinal]!;
  recent = (id: string, stream: StoredStream): number | undefined => this.recentIds.find(id, stream.name);

  /** Ordinal of the first event at this position or later. */
  ordinalFrom(position: number): number {
    let low = 0;
    let high = this.positions.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.positions[middle]! < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  onAppended(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  wake(): void {
    for (const listener of this.listeners) listener();
  }

  /** What a process keeps in memory only is gone after a restart. */
  forget(): void {
    this.recentIds.clear();
  }

  private delete(name: string, expected: Expected, write: (stream: StoredStream) => void): Written {
    const stream = this.streamNamed(name);
    const decision = checkCommit(stream, expected, [randomUUID()], this);
    if (decision.kind !== 'write') return decision as Extract<Written, { kind: 'wrong-version' | 'deleted' }>;
    write(stream);
    this.wake();
    return { kind: 'written', revision: lastRevision(stream), position: this.positions.at(-1) };
  }

  private writeMetadata(name: string, data: Buffer): void {
    this.store(this.streamNamed(metastreamOf(name)), event('$metadata', data));
  }

  private place(stream: StoredStream, proposed: ProposedEvent, revision: string): number {
    const created = Date.now();
    const encodeAt = (position: number) =>
      encodeReadResponse({ ...proposed, stream: stream.name, revision, position, created });
    const guess = this.log.nextOffset(0);
    const encoded = encodeAt(guess);
    const position = this.log.nextOffset(encoded.length);
    const record = position === guess ? encoded : encodeAt(position);
    this.log.write(record);
    this.sizes.push(record.length);
    this.ids.push(proposed.id);
    this.types.push(this.internedType(proposed.type));
    this.createdAt.push(created);
    this.streamOf.push(stream);
    return this.positions.push(position) - 1;
  }

  private internedType(type: string): string {
    const known = this.knownTypes.get(type);
    if (known !== undefined) return known;
    this.knownTypes.set(type, type);
    return type;
  }
}

// source: StorageWriterService.SoftUndeleteStream
const recreation = (metadata: StreamMetadata, from: number): Buffer =>
  Buffer.from(JSON.stringify({ ...metadata, $tb: from }));

const event = (type: string, data: Buffer): ProposedEvent => ({
  id: randomUUID(),
  type,
  contentType: 'application/json',
  data,
  metadata: Buffer.alloc(0),
});
