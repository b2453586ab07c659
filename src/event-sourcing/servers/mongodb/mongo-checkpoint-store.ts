import type { Collection, Db } from 'mongodb';
import type { Position } from '../../../kernel/recorded-event.js';
import { CheckpointStore } from '../../ports/event-store.port.js';
import { calling, isIdTaken, retrySocket, retryUpsert } from './mongo-errors.js';

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
