import type { Collection, Db } from 'mongodb';
import type { Milliseconds } from '../../../kernel/time.js';
import { GroupLeases, type GroupLease } from '../../ports/group-leases.port.js';
import { releaseLease, takeLease, type LeaseDocument } from './lease-documents.js';
import { calling } from './mongo-errors.js';

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
