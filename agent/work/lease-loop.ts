import { setTimeout as pause } from 'node:timers/promises';
import { abortable } from '../abortable.js';
import type { ServiceClient } from '../service/service-client.js';
import type { JobRunner } from './job-runner.js';
import type { Sessions } from './sessions.js';
import type { StuckPrinters } from './stuck-printers.js';
import { stopwatch, WakeSignal } from './timing.js';

const MOST_AT_ONCE = 10;
const MIN_EMPTY_POLL_MS = 500;

/** Leases jobs while below the limit of concurrent leases. */
export class LeaseLoop {
  private readonly wakeSignal = new WakeSignal();

  constructor(
    private readonly client: ServiceClient,
    private readonly sessions: Sessions,
    private readonly runner: JobRunner,
    private readonly stuck: StuckPrinters,
  ) {
    runner.onChange(this.wakeSignal.notify);
  }

  async run(signal: AbortSignal): Promise<void> {
    for (;;) {
      const free = this.sessions.current.config.max_leases - this.runner.waiting().length;
      if (free > 0) await this.poll(Math.min(free, MOST_AT_ONCE), signal);
      else await this.wakeSignal.sleep(1000, signal);
    }
  }

  /** Leases until the service answers that nothing is queued, and waits for the end of these jobs. */
  async drain(signal: AbortSignal): Promise<void> {
    for (;;) {
      const held = this.runner.waiting().length;
      const free = this.sessions.current.config.max_leases - held;
      const leased = free > 0 ? await this.lease(Math.min(free, MOST_AT_ONCE), 0, signal) : 0;
      if (leased > 0) continue;
      if (held === 0) break;
      // A printer at its limit gets more once one of its jobs is handed off.
      await this.wakeSignal.sleep(1000, signal);
    }
    // Aborts at once: the caller's deadline for the spooler begins then.
    await abortable(this.runner.idle(), signal);
  }

  private async poll(max: number, signal: AbortSignal): Promise<void> {
    const elapsed = stopwatch();
    const leased = await this.lease(max, undefined, signal);
    // Pauses after an immediate empty answer (e.g. a suspended account).
    const restMs = MIN_EMPTY_POLL_MS - elapsed();
    if (leased === 0 && restMs > 0) await pause(restMs, undefined, { signal });
  }

  /** Resolves to the number of leases. @param seconds to wait for jobs; default: what the service asks for */
  private async lease(max: number, seconds: number | undefined, signal: AbortSignal): Promise<number> {
    const { leases, position } = await this.sessions.under(({ session_id, config }) => {
      const waitSeconds = seconds ?? config.poll_wait_seconds;
      const busy = this.sessions.busy(this.stuck.busy());
      const request = { waitSeconds, max, seen: this.sessions.seen, busy };
      return this.client.lease(session_id, request, signal);
    }, signal);
    for (const lease of leases) await this.runner.take(lease, position);
    return leases.length;
  }
}
