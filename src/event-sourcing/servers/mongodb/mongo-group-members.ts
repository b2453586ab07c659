import type { Collection, Db } from 'mongodb';
import type { Milliseconds } from '../../../kernel/time.js';
import { GroupMembers } from '../../ports/group-leases.port.js';
import { calling, LONG_CALL, retryUpsert } from './mongo-errors.js';

interface MemberDocument {
  /** The holder of the leases. */
  readonly _id: string;
  readonly held: number;
  readonly partitions: number;
  /** By the server's clock, as of leases. */
  readonly until: Date;
}

export class MongoGroupMembers extends GroupMembers {
  private readonly members: Collection<MemberDocument>;

  /** @param partitions instances with another number lead other groups */
  constructor(
    db: Db,
    private readonly partitions: number,
  ) {
    super();
    this.members = db.collection('projecting_instances');
  }

  async prepare(): Promise<void> {
    await this.members.createIndex({ until: 1 }, { ...LONG_CALL, expireAfterSeconds: 0 });
  }

  async report(holder: string, held: number, forMs: Milliseconds): Promise<number> {
    const { partitions } = this;
    const change = [{ $set: { held, partitions, until: { $add: ['$$NOW', forMs] } } }];
    const options = { upsert: true, returnDocument: 'after' } as const;
    const report = () => this.members.findOneAndUpdate({ _id: holder }, change, options);
    const { until } = (await calling(() => retryUpsert(report)))!;
    const now = new Date(until.getTime() - forMs);
    const others = { _id: { $ne: holder }, partitions, until: { $gt: now } };
    const fewest = await calling(() => this.members.findOne(others, { sort: { held: 1 } }));
    return fewest?.held ?? Infinity;
  }
}
