import type { Collection, Db } from 'mongodb';
import type { Milliseconds } from '../../kernel/time.js';
import { GroupLeases, type GroupLease } from '../../ports/group-leases.port.js';
import { claim, giveUp, type Claim } from './claims.js';
import { calling } from './mongo-errors.js';

export class MongoGroupLeases extends GroupLeases {
  private readonly leases: Collection<Claim>;

  constructor(db: Db) {
    super();
    this.leases = db.collection('group_leases');
  }

  async acquire(group: string, holder: string, forMs: Milliseconds): Promise<GroupLease | undefined> {
    const held = await calling(() => claim(this.leases, group, holder, forMs));
    return held.holder === holder ? { group, holder, epoch: held.epoch } : undefined;
  }

  async release({ group, holder, epoch }: GroupLease): Promise<void> {
    await calling(() => giveUp(this.leases, { _id: group, holder, epoch }));
  }
}
