import { Binary, type Collection, type Db } from 'mongodb';
import { HashStore, PROGRESS } from '../../ports/hash-store.port.js';
import { calling, SLOW_CALL_MS } from './mongo-errors.js';
import { upsertRows } from './upserts.js';

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
