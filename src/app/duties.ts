import type { Logger } from 'pino';
import { SystemClock } from '../adapters/system/system-clock.js';
import type { Duty, GroupLeases } from '../ports/group-leases.port.js';
import { LeaderElection } from '../cluster/leader-election.js';

/** What acts on events; the names are those of the leases. */
export const REACTING_DUTIES = ['timers', 'content-sweep', 'webhooks'] as const;

/** Something that goes on until it is stopped, and may be started again after. */
export interface Loop {
  start(): void | Promise<void>;
  /** Resolves when what is under way has ended. */
  stop(): Promise<void>;
}

export interface DutiesOptions {
  /** Absent: this instance is the only one, and does everything from the start. */
  readonly leases: GroupLeases | undefined;
  /** Names this instance among all. */
  readonly holder: string;
  readonly logger: Logger;
  readonly onChange?: ((group: string, leading: boolean) => void) | undefined;
}

/** What only one instance does at a time: each duty is done by whoever holds the lease of its group. */
export class Duties {
  private readonly loops = new Map<string, Loop>();

  constructor(private readonly options: DutiesOptions) {}

  add(group: string, loop: Loop): this {
    const { leases } = this.options;
    return this.put(group, leases ? this.underLease(leases, group, whileLeading(loop)) : loop);
  }

  /** A duty that minds its lease itself. */
  addDuty(group: string, leases: GroupLeases, duty: Duty): this {
    return this.put(group, this.underLease(leases, group, duty));
  }

  /** Resolves when each duty has begun here, or is another instance's. */
  async start(): Promise<void> {
    await Promise.all([...this.loops.values()].map(async (loop) => loop.start()));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.loops.values()].map((loop) => loop.stop()));
  }

  private put(group: string, loop: Loop): this {
    this.loops.set(group, loop);
    return this;
  }

  private underLease(leases: GroupLeases, group: string, duty: Duty): Loop {
    const { holder, logger, onChange } = this.options;
    const onError = (error: unknown) => logger.warn({ err: error, group }, 'a duty was cut off');
    // The store counts lease times by the real clock, whatever the service is told the time is.
    const leadership = new LeaderElection(leases, new SystemClock(), {
      group,
      holder,
      onError,
      onChange: (leading) => {
        logger.info({ group }, leading ? 'takes over' : 'hands over');
        onChange?.(group, leading);
      },
    });
    return { start: () => leadership.start(duty), stop: () => leadership.stop() };
  }
}

function whileLeading(loop: Loop): Duty {
  return {
    async run(_lease, signal) {
      if (signal.aborted) return;
      await loop.start();
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      await loop.stop();
    },
  };
}
