import { collectDefaultMetrics, Registry } from 'prom-client';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Milliseconds } from '../../kernel/time.js';

/** Then the histogram of the event loop has samples; without one, its least delay would be 292 years. */
const FIRST_SAMPLES_MS: Milliseconds = 25;

/** One set for all services of a process: prom-client never ends its observers, which would hold every stopped one. */
let ofProcess: Registry | undefined;

/**
 * The metrics of a service, with those of its process and of Node once they are read: to observe the event loop,
 * prom-client wakes the process a hundred times a second, half of the CPU time of a service without work.
 */
export class ProcessRegistry extends Registry {
  private isObserved = false;

  override async metrics(): Promise<string> {
    if (!this.isObserved) await this.observe();
    return super.metrics();
  }

  private async observe(): Promise<void> {
    this.isObserved = true;
    if (!ofProcess) {
      ofProcess = new Registry();
      collectDefaultMetrics({ register: ofProcess });
      await sleep(FIRST_SAMPLES_MS);
    }
    for (const { name } of ofProcess.getMetricsAsArray())
      this.registerMetric(ofProcess.getSingleMetric(name)!);
  }
}
