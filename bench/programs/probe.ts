import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Answer of the probe, which is loaded into the measured process before its program (`--import`). */
export interface ProbeAnswer {
  /** Event-loop delay in milliseconds since the last request; of the first, nothing. */
  readonly loopDelay: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly heapUsedMb: number;
  readonly externalMb: number;
}

/** Interval of the monitor's timer, which is included in every sample. */
const RESOLUTION_MS = 1;

if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  const late = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  process.on('message', (message) => {
    if (message !== 'probe') return;
    const loopDelay = {
      p50: late(delay.percentile(50)),
      p99: late(delay.percentile(99)),
      max: late(delay.max),
    };
    delay.reset();
    // Not before the first question: its timer takes 2 % of a core.
    delay.enable();
    const { heapUsed, external } = process.memoryUsage();
    process.send!({
      loopDelay,
      heapUsedMb: heapUsed / 1e6,
      externalMb: external / 1e6,
    } satisfies ProbeAnswer);
  });
  // Without its parent this process would run for ever.
  process.on('disconnect', () => process.exit());
  process.channel?.unref();
}
