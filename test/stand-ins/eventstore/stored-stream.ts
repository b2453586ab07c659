/** `$tb` of a soft-deleted stream, and revision of the event that closes a stream for ever. source: EventNumber.DeletedStream */
export const DELETED_STREAM = 9_223_372_036_854_775_807n;

/** What an event of the metadata stream `$$<name>` says of the stream. source: StreamMetadata.FromJsonBytes */
export interface StreamMetadata {
  readonly $tb?: number;
  readonly $maxCount?: number;
  /** Seconds. */
  readonly $maxAge?: number;
  readonly [other: string]: unknown;
}

/** A stream and where its events stand in the log. */
export interface StoredStream {
  readonly name: string;
  /** Ordinal in the log, by revision. */
  readonly ordinals: number[];
  metadata: StreamMetadata;
  tombstoned: boolean;
  /** As far as it is committed: this is what readers see. */
  readonly shown: { length: number; metadata: StreamMetadata; tombstoned: boolean };
}

export const isMetastream = (name: string): boolean => name.startsWith('$$');
export const metastreamOf = (name: string): string => `$$${name}`;
export const originalStreamOf = (metastream: string): string => metastream.slice(2);

export function storedStream(name: string): StoredStream {
  // source: IndexReader.GetStreamMetadataCached – a metadata stream shows its last event only.
  const metadata = isMetastream(name) ? { $maxCount: 1 } : {};
  const shown = { length: 0, metadata, tombstoned: false };
  return { name, ordinals: [], metadata, tombstoned: false, shown };
}

/** Revision of the last event, -1 for none. */
export const lastRevision = (stream: StoredStream): number => stream.ordinals.length - 1;

// source: IndexWriter.IsSoftDeleted – a number of JSON cannot be told from its neighbours up there.
export const isSoftDeleted = ({ metadata }: Pick<StoredStream, 'metadata'>): boolean =>
  metadata.$tb !== undefined && metadata.$tb >= Number(DELETED_STREAM);

/** Nothing to read: never written, or soft-deleted. source: IndexReader.ReadStreamEventsForward */
export const isAbsent = (stream: StoredStream | undefined): boolean =>
  stream === undefined || stream.shown.length === 0 || isSoftDeleted(stream.shown);

/** What $tb and $maxCount hide; the numbering stays. source: IndexReader.ReadStreamEventsForward */
export function firstVisibleRevision({ shown }: StoredStream): number {
  const { $tb = 0, $maxCount } = shown.metadata;
  return Math.max($tb, $maxCount === undefined ? 0 : shown.length - $maxCount);
}

/** source: IndexReader – $maxAge hides events, it does not free the name */
const isTooOld = ({ shown: { metadata } }: StoredStream, created: number): boolean =>
  metadata.$maxAge !== undefined && created < Date.now() - metadata.$maxAge * 1_000;

export const isHidden = (stream: StoredStream, revision: number, created: number): boolean =>
  revision < firstVisibleRevision(stream) || isTooOld(stream, created);

/** Bytes of the event that hides a stream. source: StorageWriterService.Handle(WriteDelete) */
export function softDeletion(metadata: StreamMetadata): Buffer {
  // JavaScript cannot write this number.
  return Buffer.from(JSON.stringify({ ...metadata, $tb: 0 }).replace('"$tb":0', `"$tb":${DELETED_STREAM}`));
}

/** source: StorageWriterService.SoftUndeleteStream */
export const recreation = (metadata: StreamMetadata, from: number): Buffer =>
  Buffer.from(JSON.stringify({ ...metadata, $tb: from }));

export function metadataIn(data: Uint8Array): StreamMetadata {
  try {
    return JSON.parse(Buffer.from(data).toString()) as StreamMetadata;
  } catch {
    return {}; // source: IndexWriter.GetStreamMetadata – unreadable metadata counts as none
  }
}
