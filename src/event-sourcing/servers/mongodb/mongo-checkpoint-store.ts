import type { Collection, Db } from 'mongodb';
import type { Position } from '../../../kernel/recorded-event.js';
import { CheckpointStore } from '../../ports/event-store.port.js';
import { calling, retryUpsert } from './mongo-errors.js';

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

  /** Readers start over, which writes nothing twice. */
  async deleteAll(): Promise<void> {
    await calling(() => this.checkpoints.deleteMany({}));
  }
}
