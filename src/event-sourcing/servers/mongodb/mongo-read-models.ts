import type { Db } from 'mongodb';
import type { Clock } from '../../../kernel/time.js';
import type { Partition } from '../../ports/partitions.js';
import { MongoReadProgress, ReadStateWatch } from './mongo-read-progress.js';
import { MongoViewWriter, type WriterDependencies } from './mongo-view-writer.js';
import { ReadStateCache, type ReadState } from './read-state-cache.js';

/** Each partition has a database of its own: another number of partitions is built beside the one in use. */
export function viewDatabase(database: string, { index, count }: Partition): string {
  return count === 1 ? database : `${database}-views-${index + 1}of${count}`;
}

/** Views of one partition: what its projector writes, and how far it is. */
export class MongoReadModels {
  readonly state: ReadStateCache;
  readonly writer: MongoViewWriter;
  readonly progress: MongoReadProgress;

  constructor(
    readonly db: Db,
    clock: Clock,
    hooks: Pick<WriterDependencies, 'prepare' | 'onLoss' | 'deletePositions' | 'hideOthers'>,
  ) {
    const states = db.collection<ReadState>('read_state');
    this.state = new ReadStateCache(states, clock);
    this.writer = new MongoViewWriter({ db, states, readState: this.state, clock, ...hooks });
    this.progress = new MongoReadProgress(this.state, new ReadStateWatch(states, this.state, clock), clock);
  }
}
