import type { Logger } from 'pino';
import { whenAborted } from '../async/pauses.js';
import { type SingletonWorker, type GroupLeases, LeaderElection } from '../event-sourcing/index.js';
import type { Clock } from '../kernel/time.js';

export const CONSUMER_GROUPS = [
  'timers',
  'content-sweep',
  'webhooks',
  'changes',
  'evidence',
  'packing',
] as const;

export interface Loop {
  start(): void | Promise<void>;
  stop(): Promise<void>;
}

export interface SingletonWorkersOptions {
  /** Undefined on a single instance, which runs every worker. */
  readonly leases: GroupLeases | undefined;
  /** Of the elections. The stores count leases by the system's. */
  readonly clock: Clock;
  readonly holder: string;
  readonly logger: Logger;
  readonly onChange?: ((group: string, leading: boolean) => void) | undefined;
}

/** Runs each group of workers on the instance that holds its lease. */
export class SingletonWorkers {
  private readonly loops = new Map<string, Loop>();

  constructor(private readonly options: SingletonWorkersOptions) {}

  add(group: string, loop: Loop): this {
    const { leases } = this.options;
    return this.put(group, leases ? this.underLease(leases, group, whileLeading(loop)) : loop);
  }

  /** Adds a worker that checks its lease itself. */
  addWorker(group: string, leases: GroupLeases, worker: SingletonWorker): this {
    return this.put(group, this.underLease(leases, group, worker));
  }

  /** Does not wait for leadership. */
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

  private underLease(leases: GroupLeases, group: string, worker: SingletonWorker): Loop {
    const { clock, holder, logger, onChange } = this.options;
    const onError = (error: unknown) =>
      logger.warn(
        { err: error, group },
        'a singleton worker was interrupted; it restarts on the next leader',
      );
    const election = new LeaderElection(leases, clock, {
      group,
      holder,
      onError,
      onChange: (leading) => {
        logger.info({ group }, leading ? 'became leader' : 'no longer leader');
        onChange?.(group, leading);
      },
    });
    return { start: () => election.start(worker), stop: () => election.stop() };
  }
}

/** One worker of two, stopped in the order given. */
export const together = (first: Loop, second: Loop): Loop => ({
  async start() {
    await first.start();
    await second.start();
  },
  async stop() {
    await first.stop();
    await second.stop();
  },
});

function whileLeading(loop: Loop): SingletonWorker {
  return {
    async run(_lease, signal) {
      if (signal.aborted) return;
      await loop.start();
      await whenAborted(signal);
      await loop.stop();
    },
  };
}
