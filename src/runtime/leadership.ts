import { plus, type Instant, type Milliseconds } from '../kernel/time.js';
import type { Clock } from '../ports/clock.port.js';
import type { Duty, GroupLease, GroupLeases } from '../ports/group-leases.port.js';
import { pause } from './pauses.js';

export interface LeadershipOptions {
  readonly group: string;
  /** Names this instance among all. */
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
  /** The lease is good until then by our clock. */
  private safeUntil: Instant | undefined;

  constructor(
    private readonly leases: GroupLeases,
    private readonly clock: Clock,
    private readonly options: LeadershipOptions,
  ) {}

  /** Resolves after the first look: the duty has begun, or another instance does it, or nobody could tell. */
  start(duty: Duty): Promise<void> {
    return new Promise((resolve) => (this.running = this.campaign(duty, resolve)));
  }

  /** Ends the duty, gives the lease up, and resolves when that is done. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private get forMs(): Milliseconds {
    return this.options.forMs ?? LEASE_MS;
  }

  private async campaign(duty: Duty, looked: () => void): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const lease = await this.take();
      const leading = lease && this.lead(duty, lease);
      looked();
      await leading;
      await pause(this.clock, Math.min(LOOK_MS, this.forMs / RENEWALS_PER_LEASE), this.stopping.signal);
    }
  }

  private async lead(duty: Duty, lease: GroupLease): Promise<void> {
    const term = new AbortController();
    const end = () => term.abort();
    this.stopping.signal.addEventListener('abort', end);
    if (this.stopping.signal.aborted) end();
    this.options.onChange?.(true);
    const keeping = this.keep(lease, term);
    try {
      await duty.run(lease, term.signal);
    } catch (error) {
      this.options.onError(error);
    } finally {
      this.stopping.signal.removeEventListener('abort', end);
      end();
      await keeping;
      this.options.onChange?.(false);
      await this.leases.release(lease).catch(this.options.onError);
    }
  }

  /** Prolongs the lease until the term ends; ends the term when the lease is lost, or may be. */
  private async keep(lease: GroupLease, term: AbortController): Promise<void> {
    for (;;) {
      await pause(this.clock, this.forMs / RENEWALS_PER_LEASE, term.signal);
      if (term.signal.aborted) return;
      const renewed = await this.take();
      const lost = renewed ? renewed.epoch !== lease.epoch : this.clock.now() >= this.safeUntil!;
      if (lost) term.abort();
    }
  }

  /** The lease, when it is ours; undefined when it is another's or nobody can tell. */
  private async take(): Promise<GroupLease | undefined> {
    const asked = this.clock.now();
    try {
      const lease = await this.leases.acquire(this.options.group, this.options.holder, this.forMs);
      this.safeUntil = lease ? plus(asked, this.forMs * (1 - MARGIN)) : asked;
      return lease;
    } catch (error) {
      this.options.onError(error);
      return undefined;
    }
  }
}
