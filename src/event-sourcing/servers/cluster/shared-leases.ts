import { elapsed, type Clock, type Instant, type Milliseconds } from '../../../kernel/time.js';
import { GroupLeases, type GroupLease, type GroupMembers } from '../../ports/group-leases.port.js';

/** A report of the other instances is used for this long. */
const FRESH_MS: Milliseconds = 1_000;

/**
 * Spreads some groups over the instances: one that holds more than another lets that one be first, and gives one up if it
 * holds two more.
 */
export class SharedLeases extends GroupLeases {
  private readonly held = new Set<string>();
  /** Free leases that this instance did not take at its first look, so that another may. It takes them at the second. */
  private readonly passedOver = new Set<string>();
  private fewest = Infinity;
  private reportedAt: Instant | undefined;

  constructor(
    private readonly leases: GroupLeases,
    private readonly members: GroupMembers,
    private readonly groups: ReadonlySet<string>,
    private readonly clock: Clock,
  ) {
    super();
  }

  async acquire(group: string, holder: string, forMs: Milliseconds): Promise<GroupLease | undefined> {
    if (!this.groups.has(group)) return this.leases.acquire(group, holder, forMs);
    await this.report(holder, forMs);
    if (this.leavesToOthers(group)) return undefined;
    const lease = await this.leases.acquire(group, holder, forMs);
    if (lease) this.held.add(group);
    else this.held.delete(group);
    return lease;
  }

  release(lease: GroupLease): Promise<void> {
    this.held.delete(lease.group);
    return this.leases.release(lease);
  }

  private leavesToOthers(group: string): boolean {
    if (this.held.has(group)) return this.held.size > this.fewest + 1 && this.held.delete(group);
    if (this.held.size <= this.fewest || this.passedOver.delete(group)) return false;
    this.passedOver.add(group);
    return true;
  }

  private async report(holder: string, forMs: Milliseconds): Promise<void> {
    const now = this.clock.now();
    if (this.reportedAt !== undefined && Math.abs(elapsed(this.reportedAt, now)) < FRESH_MS) return;
    this.reportedAt = now;
    this.fewest = await this.members.report(holder, this.held.size, forMs);
  }
}
