import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** Loaded into the measured process before its program (`--import`): tells what only the inside can see. */
export interface ProbeAnswer {
  /** How much later than asked for the event loop came round, in milliseconds, since the last question. */
  readonly loopDelay: { readonly p50: number; readonly p99: number; readonly max: number };
  readonly heapUsedMb: number;
  readonly externalMb: number;
}

/** The monitor's timer; its own length is part of every sample. */
const RESOLUTION_MS = 1;

if (isMainThread && process.send) {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const late = (ns: number) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  process.on('message', (message) => {
    if (message !== 'probe') return;
    const loopDelay = {
      p50: late(delay.percentile(50)),
      p99: late(delay.percentile(99)),
      max: late(delay.max),
    };
    delay.reset();
    const { heapUsed, external } = process.memoryUsage();
    process.send!({
      loopDelay,
      heapUsedMb: heapUsed / 1e6,
      externalMb: external / 1e6,
    } satisfies ProbeAnswer);
  });
  // Whoever measures is gone: nobody would end this process any more.
  process.on('disconnect', () => process.exit());
  process.channel?.unref();
}
