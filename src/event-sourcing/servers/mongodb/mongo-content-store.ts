import {
  Binary,
  ObjectId,
  type Collection,
  type Db,
  type FindOptions,
  type OptionalUnlessRequiredId,
} from 'mongodb';
import { epochMs, type Milliseconds, type Clock } from '../../../kernel/time.js';
import { ContentStore, type ContentPart } from '../../ports/content-store.port.js';
import { settled } from '../../../async/settled.js';
import { batched } from './batched.js';
import { CALL_MS, calling, isNoReplicaSet, LONG_CALL, retrySocket, takenOf } from './mongo-errors.js';

interface FileRow {
  readonly _id: ObjectId;
  readonly length: number;
  readonly chunkSize: number;
  readonly uploadDate: Date;
  readonly filename: string;
}

interface ChunkRow {
  readonly _id: ObjectId;
  readonly files_id: ObjectId;
  readonly n: number;
  readonly data: Binary;
}

/** Default of the GridFS specification, for compatibility with other tools. */
const CHUNK_BYTES = 255 * 1_024;
/** About 4 MiB, which limits the duration of a write and the size of a message. */
const CHUNKS_AT_ONCE = 16;
const HOUR_MS: Milliseconds = 3_600_000;
/** An isolated primary does not answer: the others must confirm that it is still the primary. */
const CONFIRMED: FindOptions = { readConcern: 'linearizable', maxTimeMS: CALL_MS };
/** Age range in which the daily sweep deletes interrupted uploads. */
const SWEPT_MS: Milliseconds = 72 * HOUR_MS;

/** GridFS in a database that outlives the read models. The latest complete file of a job counts. */
export class MongoContentStore extends ContentStore {
  private readonly files: Collection<FileRow>;
  private readonly chunks: Collection<ChunkRow>;

  constructor(
    db: Db,
    private readonly clock: Clock,
  ) {
    super();
    this.files = db.collection('contents.files');
    this.chunks = db.collection('contents.chunks');
  }

  /** Batches documents of one chunk over several jobs. */
  private readonly insertChunk = batched(
    (rows: readonly ChunkRow[]) => inserted(this.chunks, rows),
    CHUNKS_AT_ONCE,
  );
  private readonly insertFile = batched((rows: readonly FileRow[]) => inserted(this.files, rows));

  async prepare(): Promise<void> {
    await this.files.createIndex({ filename: 1, uploadDate: 1 }, LONG_CALL);
    await this.chunks.createIndex({ files_id: 1, n: 1 }, { ...LONG_CALL, unique: true });
  }

  async put(jobId: string, bytes: Uint8Array): Promise<void> {
    const file: FileRow = {
      _id: new ObjectId(),
      length: bytes.byteLength,
      chunkSize: CHUNK_BYTES,
      uploadDate: new Date(epochMs(this.clock.now())),
      filename: jobId,
    };
    const chunks = chunksOf(file._id, bytes);
    if (chunks.length === 1)
      return void (await settled([this.insertChunk(chunks[0]!), this.insertFile(file)]));
    for (let first = 0; first < chunks.length; first += CHUNKS_AT_ONCE)
      await inserted(this.chunks, chunks.slice(first, first + CHUNKS_AT_ONCE));
    await this.insertFile(file);
  }

  async get(jobId: string, part?: ContentPart): Promise<Uint8Array | undefined> {
    return (await this.read(jobId, part)) ?? (await this.readConfirmed(jobId, part));
  }

  async has(jobId: string): Promise<boolean> {
    return (await calling(() => this.files.findOne({ filename: jobId }))) !== null;
  }

  async ids(after: string | undefined, limit: number): Promise<readonly string[]> {
    if (after === undefined) await this.sweepUnfinished();
    const ids = new Set<string>();
    for (let last = after ?? ''; ids.size < limit;) {
      const page = this.files.find({ filename: { $gt: last } }, { sort: { filename: 1 }, limit });
      const names = await calling(() => page.project<{ filename: string }>({ filename: 1 }).toArray());
      for (const { filename } of names) if (ids.size < limit) ids.add(filename);
      if (names.length < limit) break;
      last = names.at(-1)!.filename;
    }
    return [...ids];
  }

  async delete(jobId: string): Promise<void> {
    const named = this.files.find({ filename: jobId }).project<{ _id: ObjectId }>({ _id: 1 });
    const files = (await calling(() => named.toArray())).map(({ _id }) => _id);
    if (files.length === 0) return;
    // Chunks last: an interruption leaves chunks without a file, which are swept.
    await calling(() => this.files.deleteMany({ _id: { $in: files } }));
    await calling(() => this.chunks.deleteMany({ files_id: { $in: files } }));
  }

  private async read(
    jobId: string,
    part: ContentPart | undefined,
    options: FindOptions = {},
  ): Promise<Uint8Array | undefined> {
    const newest = { ...options, sort: { uploadDate: -1, _id: -1 } } as const;
    const files = await calling(() => this.files.find({ filename: jobId }, newest).toArray());
    for (const file of files) {
      const bytes = await this.readFile(file, part, options);
      if (bytes) return bytes;
    }
    return undefined;
  }

  private async readFile(
    { _id: files_id, length, chunkSize }: FileRow,
    part: ContentPart | undefined,
    options: FindOptions,
  ): Promise<Uint8Array | undefined> {
    const first = Math.min(part?.first ?? 0, length);
    const end = Math.min(part?.end ?? length, length);
    const before = Math.floor(first / chunkSize);
    const all = { ...options, sort: { n: 1 }, batchSize: CHUNKS_AT_ONCE } as const;
    const n = { $gte: before, $lt: Math.ceil(end / chunkSize) };
    const cursor = this.chunks.find(part ? { files_id, n } : { files_id }, all);
    const chunks = (await calling(() => cursor.toArray())).map(({ data }) => data.buffer);
    const read = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const bytes = read.subarray(first - before * chunkSize, end - before * chunkSize);
    // Its chunks are not stored yet, were deleted during the read, or are lost.
    return bytes.byteLength === end - first ? bytes : undefined;
  }

  /** An isolated primary may lack the document. Not needed without a replica set. */
  private async readConfirmed(jobId: string, part: ContentPart | undefined): Promise<Uint8Array | undefined> {
    try {
      return await this.read(jobId, part, CONFIRMED);
    } catch (error) {
      if (isNoReplicaSet(error)) return undefined;
      throw error;
    }
  }

  /** Spares chunks of the last hour, whose upload may be in progress. */
  private async sweepUnfinished(): Promise<void> {
    const now = epochMs(this.clock.now());
    const end = idFrom(now - HOUR_MS);
    for (let last = idFrom(now - SWEPT_MS); ;) {
      const page = this.chunks.find(
        { files_id: { $gt: last, $lt: end } },
        { sort: { files_id: 1, n: 1 }, limit: 1_000 },
      );
      const rows = await calling(() =>
        page.project<{ files_id: ObjectId }>({ _id: 0, files_id: 1 }).toArray(),
      );
      if (rows.length === 0) return;
      last = rows.at(-1)!.files_id;
      await this.deleteWithoutFile(rows.map(({ files_id }) => files_id));
    }
  }

  private async deleteWithoutFile(uploads: readonly ObjectId[]): Promise<void> {
    const asked = this.files.find({ _id: { $in: [...uploads] } }).project<{ _id: ObjectId }>({ _id: 1 });
    const known = new Set((await calling(() => asked.toArray())).map(({ _id }) => _id.toHexString()));
    const cutOff = uploads.filter((upload) => !known.has(upload.toHexString()));
    if (cutOff.length > 0) await calling(() => this.chunks.deleteMany({ files_id: { $in: cutOff } }));
  }
}

/** Ids are new for each upload: a taken id was written by an earlier attempt whose answer was lost. */
async function inserted<Row extends FileRow | ChunkRow>(
  collection: Collection<Row>,
  rows: readonly Row[],
): Promise<undefined[]> {
  const insert = () => collection.insertMany(rows as OptionalUnlessRequiredId<Row>[], { ordered: false });
  await calling(() => retrySocket(insert).catch(takenOf));
  return rows.map(() => undefined);
}

function chunksOf(files_id: ObjectId, bytes: Uint8Array): ChunkRow[] {
  return Array.from({ length: Math.ceil(bytes.byteLength / CHUNK_BYTES) }, (_, n) => {
    const data = new Binary(bytes.subarray(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES));
    return { _id: new ObjectId(), files_id, n, data };
  });
}

/** Smallest id of that second. */
function idFrom(ms: number): ObjectId {
  return ObjectId.createFromTime(Math.max(0, Math.floor(ms / 1_000)));
}
