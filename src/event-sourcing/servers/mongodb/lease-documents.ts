import type { Collection, Db } from 'mongodb';
import type { Milliseconds } from '../../../kernel/time.js';
import { retryUpsert, calling } from './mongo-errors.js';
import { GroupLeases, type GroupLease } from '../../ports/group-leases.port.js';

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
