import { type Milliseconds, type Clock, elapsed, type Instant } from '../../../kernel/time.js';
import {
  type SingletonWorker,
  type GroupLease,
  GroupLeases,
  type GroupMembers,
} from '../../ports/group-leases.port.js';
import { pause } from '../../../async/pauses.js';

export interface LeaderElectionOptions {
  readonly group: string;
  /** Unique name of this instance and run: a lease of the same name counts as its own. */
  readonly holder: string;
  readonly onError: (error: unknown) => void;
  readonly onChange?: (leading: boolean) => void;
  /** Duration without renewal. A take-over takes this plus one poll at most. */
  readonly forMs?: Milliseconds;
}

const LEASE_MS: Milliseconds = 10_000;
/** The holder renews and the others poll this often per lease. */
const RENEWALS_PER_LEASE = 4;
const POLL_MS: Milliseconds = 1_000;
/** The lease counts as lost when this fraction remains, so that calls in flight end before it does. */
const MARGIN = 0.2;

/** Two instances may overlap if a clock or network stalls; revisions and deciders keep workers correct. */
export class LeaderElection {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly leases: GroupLeases,
    private readonly clock: Clock,
    private readonly options: LeaderElectionOptions,
  ) {}

  start(worker: SingletonWorker): void {
    this.running = this.campaign(worker);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private get forMs(): Milliseconds {
    return this.options.forMs ?? LEASE_MS;
  }

  private get renewMs(): Milliseconds {
    return this.forMs / RENEWALS_PER_LEASE;
  }

  private async campaign(worker: SingletonWorker): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const term = new LeaseRenewal(this.clock, this.forMs * (1 - MARGIN));
      signal.addEventListener('abort', term.end);
      const lease = await this.acquire();
      if (lease && lease !== 'unknown') await this.lead(worker, lease, term);
      term.end();
      signal.removeEventListener('abort', term.end);
      await pause(this.clock, Math.min(POLL_MS, this.renewMs), signal);
    }
  }

  private async lead(worker: SingletonWorker, lease: GroupLease, term: LeaseRenewal): Promise<void> {
    const renewing = this.renew(lease, term);
    if (!term.signal.aborted) await this.perform(worker, lease, term.signal);
    term.end();
    await renewing;
    await this.leases.release(lease).catch(this.options.onError);
  }

  private async perform(worker: SingletonWorker, lease: GroupLease, signal: AbortSignal): Promise<void> {
    this.options.onChange?.(true);
    try {
      await worker.run(lease, signal);
    } catch (error) {
      this.options.onError(error);
    } finally {
      this.options.onChange?.(false);
    }
  }

  private async renew(lease: GroupLease, term: LeaseRenewal): Promise<void> {
    while (!term.signal.aborted) {
      await pause(this.clock, this.renewMs, term.signal);
      if (!term.signal.aborted) await term.prolong(() => this.stillHeld(lease));
    }
  }

  /** Undefined if the store did not answer. */
  private async stillHeld({ epoch }: GroupLease): Promise<boolean | undefined> {
    const renewed = await this.acquire();
    return renewed === 'unknown' ? undefined : renewed?.epoch === epoch;
  }

  /** 'unknown' if the store did not answer, undefined if another instance holds the lease. */
  private async acquire(): Promise<GroupLease | 'unknown' | undefined> {
    try {
      return await this.leases.acquire(this.options.group, this.options.holder, this.forMs);
    } catch (error) {
      this.options.onError(error);
      return 'unknown';
    }
  }
}

/** Expires even while a renewal waits for the store. */
export class LeaseRenewal {
  private readonly controller = new AbortController();
  private cancel: () => void = () => undefined;

  /** Counts from the request on, because the store counts before its answer arrives. */
  constructor(
    private readonly clock: Clock,
    private readonly safeMs: Milliseconds,
  ) {
    this.cancel = this.extension();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** True extends the lease from this call on, false ends it, undefined changes nothing. */
  async prolong(ask: () => Promise<boolean | undefined>): Promise<void> {
    const cancel = this.extension();
    const granted = await ask();
    if (granted) {
      this.cancel();
      this.cancel = cancel;
    } else {
      cancel();
      if (granted === false) this.end();
    }
    if (this.signal.aborted) this.cancel();
  }

  readonly end = (): void => {
    this.cancel();
    this.controller.abort();
  };

  private extension(): () => void {
    return this.clock.after(this.safeMs, this.end);
  }
}

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
