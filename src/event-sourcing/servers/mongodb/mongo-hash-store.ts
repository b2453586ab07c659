import { Binary, type Collection, type Db } from 'mongodb';
import { HashStore, PROGRESS } from '../../ports/hash-store.port.js';
import { bulksOf } from './bulks.js';
import { calling, retryUpsert, SLOW_CALL_MS, takenOf } from './mongo-errors.js';

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

  protected async read(keys: readonly string[]): Promise<readonly (Uint8Array | undefined)[]> {
    const found = await calling(() => this.stored.find({ _id: { $in: [...keys] } }).toArray());
    const byKey = new Map(found.map(({ _id, blob }) => [_id, blob.bytes.value()]));
    return keys.map((key) => byKey.get(key));
  }

  protected async write(values: ReadonlyMap<string, Uint8Array>, progress: Uint8Array): Promise<void> {
    const rows = [...values].map(([key, bytes]) => rowOf(key, bytes));
    for (const bulk of bulksOf(rows, ({ blob }) => blob.length))
      await calling(() => this.putBulk(bulk, '$max'));
    await calling(() => this.putBulk([rowOf(PROGRESS, progress)], '$set'));
  }

  async clear(): Promise<void> {
    // The progress first: without it nothing else is read.
    await calling(() => this.stored.deleteOne({ _id: PROGRESS }));
    await calling(() => this.stored.deleteMany({}), SLOW_CALL_MS);
  }

  /** Retries what another instance inserted at the same moment; the retry compares with it. */
  private async putBulk(bulk: readonly StoredBlob[], change: '$set' | '$max'): Promise<void> {
    let left = bulk.map(({ _id, blob }) => ({
      updateOne: { filter: { _id }, update: { [change]: { blob } }, upsert: true },
    }));
    await retryUpsert(async () => {
      try {
        await this.stored.bulkWrite(left, { ordered: false });
      } catch (error) {
        left = takenOf(error).map((index) => left[index]!);
        throw error;
      }
    });
  }
}

const rowOf = (_id: string, bytes: Uint8Array): StoredBlob => ({
  _id,
  blob: { length: bytes.length, bytes: new Binary(bytes) },
});
