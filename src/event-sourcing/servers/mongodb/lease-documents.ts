import type { Collection, Db } from 'mongodb';
import type { Milliseconds } from '../../../kernel/time.js';
import { retryUpsert, calling, LONG_CALL } from './mongo-errors.js';
import { GroupLeases, type GroupLease, GroupMembers } from '../../ports/group-leases.port.js';

/** Times are those of the server's clock. */
export interface LeaseDocument {
  readonly _id: string;
  readonly holder: string;
  readonly until: Date;
  readonly epoch: number;
}

/** Free, expired, or already the holder's. */
const isOurs = (holder: string) => ({
  $or: [
    { $eq: [{ $ifNull: ['$holder', { $literal: holder }] }, { $literal: holder }] },
    { $lte: [{ $ifNull: ['$until', new Date(0)] }, '$$NOW'] },
  ],
});

/** Epochs start at the clock's seconds, so they keep growing after the document was lost. */
const NEXT_EPOCH = {
  $add: [{ $ifNull: ['$epoch', { $floor: { $divide: [{ $toLong: '$$NOW' }, 1_000] } }] }, 1],
};

export async function takeLease(
  leases: Collection<LeaseDocument>,
  _id: string,
  holder: string,
  forMs: Milliseconds,
): Promise<LeaseDocument> {
  const ours = isOurs(holder);
  const change = [
    {
      $set: {
        holder: { $cond: [ours, { $literal: holder }, '$holder'] },
        until: { $cond: [ours, { $add: ['$$NOW', forMs] }, '$until'] },
        epoch: {
          $cond: [
            { $eq: ['$holder', { $literal: holder }] },
            '$epoch',
            { $cond: [ours, NEXT_EPOCH, '$epoch'] },
          ],
        },
      },
    },
  ];
  const take = () => leases.findOneAndUpdate({ _id }, change, { upsert: true, returnDocument: 'after' });
  return (await retryUpsert(take))!;
}

/** Changes nothing after the release of the lease. */
export async function renewLease(
  leases: Collection<LeaseDocument>,
  { _id, holder, epoch }: Omit<LeaseDocument, 'until'>,
  forMs: Milliseconds,
): Promise<boolean> {
  const prolonged = [{ $set: { until: { $add: ['$$NOW', forMs] } } }];
  return (await leases.updateOne({ _id, holder, epoch }, prolonged)).matchedCount > 0;
}

/** Keeps the document, so that the next epoch continues from this one. */
export async function releaseLease(
  leases: Collection<LeaseDocument>,
  { _id, holder, epoch }: Omit<LeaseDocument, 'until'>,
): Promise<void> {
  await leases.updateOne({ _id, holder, epoch }, { $set: { until: new Date(0), holder: '' } });
}

export class MongoGroupLeases extends GroupLeases {
  private readonly leases: Collection<LeaseDocument>;

  constructor(db: Db) {
    super();
    this.leases = db.collection('group_leases');
  }

  async acquire(group: string, holder: string, forMs: Milliseconds): Promise<GroupLease | undefined> {
    const held = await calling(() => takeLease(this.leases, group, holder, forMs));
    return held.holder === holder ? { group, holder, epoch: held.epoch } : undefined;
  }

  async release({ group, holder, epoch }: GroupLease): Promise<void> {
    await calling(() => releaseLease(this.leases, { _id: group, holder, epoch }));
  }
}

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
