import { Binary, type Collection, type Db } from 'mongodb';
import type { Position } from '../../../kernel/recorded-event.js';
import { IndexBlocks, type IndexBlock } from '../../ports/index-blocks.port.js';
import { calling, SLOW_CALL_MS, isIdTaken, retrySocket, retryUpsert } from './mongo-errors.js';
import { upsertRows } from './upserts.js';
import { HashStore, PROGRESS } from '../../ports/hash-store.port.js';
import { CheckpointStore } from '../../ports/event-store.port.js';

/** The id is the owner, a space and the first position. */
interface StoredBlock {
  readonly _id: string;
  /** Compares by the number of entries. */
  readonly block: { readonly count: number; readonly bytes: Binary };
}

export class MongoIndexBlocks extends IndexBlocks {
  private readonly stored: Collection<StoredBlock>;

  constructor(db: Db) {
    super();
    this.stored = db.collection('index_blocks');
  }

  async from(owner: string, position: Position, max: number): Promise<readonly IndexBlock[]> {
    const before = await calling(() => this.lastOf(owner, idOf(owner, position)));
    const ids = { $gte: before?._id ?? idOf(owner, ''), $lt: endOf(owner) };
    return (await calling(() => this.stored.find({ _id: ids }).sort({ _id: 1 }).limit(max).toArray())).map(
      blockOf,
    );
  }

  async newest(owners: readonly string[]): Promise<readonly IndexBlock[]> {
    const found = await calling(() => Promise.all(owners.map((owner) => this.lastOf(owner, endOf(owner)))));
    return found.filter((block) => block !== undefined).map(blockOf);
  }

  async put(blocks: readonly IndexBlock[]): Promise<void> {
    const rows = blocks.map(({ owner, first, count, bytes }) => ({
      _id: idOf(owner, first),
      block: { count, bytes: new Binary(bytes) },
    }));
    await upsertRows(this.stored, rows, { sizeOf: ({ block }) => block.bytes.length() });
  }

  async clear(before: string): Promise<void> {
    await calling(() => this.stored.deleteMany({ _id: { $lt: before } }), SLOW_CALL_MS);
  }

  private async lastOf(owner: string, end: string): Promise<StoredBlock | undefined> {
    const ids = { $gte: idOf(owner, ''), $lte: end };
    return (await this.stored.find({ _id: ids }).sort({ _id: -1 }).limit(1).toArray())[0];
  }
}

const idOf = (owner: string, position: Position) => `${owner} ${position}`;
/** After every id of the owner. */
const endOf = (owner: string) => `${owner}!`;

function blockOf({ _id, block }: StoredBlock): IndexBlock {
  const [owner, first] = _id.split(' ') as [string, Position];
  return { owner, first, count: block.count, bytes: block.bytes.value() };
}

interface StoredBlob {
  readonly _id: string;
  /** Compares by the length. */
  readonly blob: { readonly length: number; readonly bytes: Binary };
}

export class MongoHashStore extends HashStore {
  private readonly stored: Collection<StoredBlob>;

  constructor(db: Db) {
    super();
    this.stored = db.collection('evidence');
  }

  protected async read(key: string): Promise<Uint8Array | undefined> {
    return (await calling(() => this.stored.findOne({ _id: key })))?.blob.bytes.value();
  }

  protected async write(values: ReadonlyMap<string, Uint8Array>, progress: Uint8Array): Promise<void> {
    const rows = [...values].map(([key, bytes]) => rowOf(key, bytes));
    await upsertRows(this.stored, rows, { sizeOf: ({ blob }) => blob.length });
    await upsertRows(this.stored, [rowOf(PROGRESS, progress)], { change: '$set' });
  }

  async clear(): Promise<void> {
    // The progress first: without it nothing else is read.
    await calling(() => this.stored.deleteOne({ _id: PROGRESS }));
    await calling(() => this.stored.deleteMany({}), SLOW_CALL_MS);
  }
}

const rowOf = (_id: string, bytes: Uint8Array): StoredBlob => ({
  _id,
  blob: { length: bytes.length, bytes: new Binary(bytes) },
});

interface Checkpoint {
  readonly _id: string;
  readonly position: Position;
}

export class MongoCheckpointStore extends CheckpointStore {
  private readonly checkpoints: Collection<Checkpoint>;

  constructor(db: Db) {
    super();
    this.checkpoints = db.collection('checkpoints');
  }

  async get(name: string): Promise<Position | undefined> {
    return (await calling(() => this.checkpoints.findOne({ _id: name })))?.position;
  }

  async put(name: string, position: Position): Promise<void> {
    const forward = () => this.checkpoints.updateOne({ _id: name }, { $max: { position } }, { upsert: true });
    await calling(() => retryUpsert(forward));
  }

  async replace(name: string, before: string | undefined, text: string): Promise<boolean> {
    const isFirst = before === undefined;
    const filter = { _id: name, position: isFirst ? { $exists: false } : before };
    const change = () =>
      this.checkpoints.updateOne(filter, { $set: { position: text } }, { upsert: isFirst });
    try {
      const { matchedCount, upsertedCount } = await calling(() => retrySocket(change));
      return matchedCount + upsertedCount > 0;
    } catch (error) {
      if (isIdTaken(error)) return false;
      throw error;
    }
  }

  /** Readers start over, which writes nothing twice. */
  async deleteAll(): Promise<void> {
    await calling(() => this.checkpoints.deleteMany({}));
  }
}
