import { Binary, type Collection, type Db } from 'mongodb';
import type { Position } from '../../../kernel/recorded-event.js';
import { IndexBlocks, type IndexBlock } from '../../ports/index-blocks.port.js';
import { calling, SLOW_CALL_MS } from './mongo-errors.js';
import { upsertRows } from './upserts.js';

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
