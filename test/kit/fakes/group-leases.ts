import { plus, type Instant, type Milliseconds, type Clock } from '../../../src/kernel/time.js';
import { GroupLeases, type GroupLease } from '../../../src/event-sourcing/ports/group-leases.port.js';

interface Held {
  readonly lease: GroupLease;
  /** Of its last acquisition, or of its release. */
  readonly at: Instant;
  readonly forMs: Milliseconds;
}

/** Leases between objects of one process, for tests with several instances. */
export class FakeGroupLeases extends GroupLeases {
  private readonly groups = new Map<string, Held>();

  constructor(private readonly clock: Clock) {
    super();
  }

  async acquire(group: string, holder: string, forMs: Milliseconds): Promise<GroupLease | undefined> {
    const held = this.groups.get(group);
    const now = this.clock.now();
    const ours = held?.lease.holder === holder;
    if (held && !ours && plus(held.at, held.forMs) > now) return undefined;
    const lease = ours ? held.lease : { group, holder, epoch: (held?.lease.epoch ?? 0) + 1 };
    this.groups.set(group, { lease, at: now, forMs });
    return lease;
  }

  async release({ group, epoch }: GroupLease): Promise<void> {
    const held = this.groups.get(group);
    if (held?.lease.epoch === epoch) this.groups.set(group, { ...held, at: this.clock.now(), forMs: 0 });
  }
}
