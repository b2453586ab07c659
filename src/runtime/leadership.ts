import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';
import type { Duty, GroupLease, GroupLeases } from '../ports/group-leases.port.js';
import { LeaseTerm } from './lease-term.js';
import { pause } from './pauses.js';

export interface LeadershipOptions {
  readonly group: string;
  /** Names this instance among all, also among those that ran before it: a lease of the same name is taken for ours. */
  readonly holder: string;
  readonly onError: (error: unknown) => void;
  readonly onChange?: (leading: boolean) => void;
  /** How long a lease lasts without a word of its holder; take-over takes this and a look at most. */
  readonly forMs?: Milliseconds;
}

const LEASE_MS: Milliseconds = 10_000;
/** A holder prolongs this often, others look this often: both fit well into the lease. */
const RENEWALS_PER_LEASE = 4;
const LOOK_MS: Milliseconds = 1_000;
/** A lease is taken for lost this long before it runs out by our clock: calls under way must not outlive it. */
const MARGIN = 0.2;

/**
 * Does a duty while this instance holds the lease of a group (facts 3.4). Two may overlap for a moment when clocks or
 * networks stall: a duty must stay right then, by revisions and deciders; the lease only saves doing things twice.
 */
export class Leadership {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly leases: GroupLeases,
    private readonly clock: Clock,
    private readonly options: LeadershipOptions,
  ) {}

  start(duty: Duty): void {
    this.running = this.campaign(duty);
  }

  /** Ends the duty, gives the lease up, and resolves when that is done. */
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

  private async campaign(duty: Duty): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      const term = new LeaseTerm(this.clock, this.forMs * (1 - MARGIN));
      signal.addEventListener('abort', term.end);
      const lease = await this.acquire();
      if (lease && lease !== 'untold') await this.lead(duty, lease, term);
      term.end();
      signal.removeEventListener('abort', term.end);
      await pause(this.clock, Math.min(LOOK_MS, this.renewMs), signal);
    }
  }

  private async lead(duty: Duty, lease: GroupLease, term: LeaseTerm): Promise<void> {
    const keeping = this.keep(lease, term);
    if (!term.signal.aborted) await this.perform(duty, lease, term.signal);
    term.end();
    await keeping;
    await this.leases.release(lease).catch(this.options.onError);
  }

  private async perform(duty: Duty, lease: GroupLease, signal: AbortSignal): Promise<void> {
    this.options.onChange?.(true);
    try {
      await duty.run(lease, signal);
    } catch (error) {
      this.options.onError(error);
    } finally {
      this.options.onChange?.(false);
    }
  }

  /** Prolongs the term by prolonging the lease; ends it when the lease is another's. */
  private async keep(lease: GroupLease, term: LeaseTerm): Promise<void> {
    while (!term.signal.aborted) {
      await pause(this.clock, this.renewMs, term.signal);
      if (!term.signal.aborted) await term.prolong(() => this.stillHeld(lease));
    }
  }

  /** Undefined when nobody can tell. */
  private async stillHeld({ epoch }: GroupLease): Promise<boolean | undefined> {
    const renewed = await this.acquire();
    return renewed === 'untold' ? undefined : renewed?.epoch === epoch;
  }

  /** The lease, when it is ours; undefined when it is another's. */
  private async acquire(): Promise<GroupLease | 'untold' | undefined> {
    try {
      return await this.leases.acquire(this.options.group, this.options.holder, this.forMs);
    } catch (error) {
      this.options.onError(error);
      return 'untold';
    }
  }
}
