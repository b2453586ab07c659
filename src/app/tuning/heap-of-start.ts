import { Session } from 'node:inspector';
import { performance } from 'node:perf_hooks';
import type { Milliseconds } from '../../kernel/time.js';

const LOOK_MS: Milliseconds = 1_000;
/** Share of the time in which the event loop worked. */
const IDLE = 0.05;
/** A service that is busy for so long leaves it to V8. */
const LOOKS = 60;

/**
 * Frees the garbage of the start in the first idle second, in about 50 ms. V8 alone waits for 8 to 30 s, and until
 * then keeps 30 MB of room for new objects.
 */
export function freeHeapOfStart(): void {
  let before = performance.eventLoopUtilization();
  const utilization = () => {
    const now = performance.eventLoopUtilization();
    const { utilization: share } = performance.eventLoopUtilization(now, before);
    before = now;
    return share;
  };
  const look = lookingForIdleness(utilization, () => void collectGarbage());
  const looks = setInterval(() => look() && clearInterval(looks), LOOK_MS).unref();
}

/** Calls `free` at the first look at an idle event loop. @returns a look, which returns true if it was the last */
export function lookingForIdleness(utilization: () => number, free: () => void): () => boolean {
  let looks = 0;
  return () => {
    looks++;
    const isIdle = utilization() < IDLE;
    if (isIdle) free();
    return isIdle || looks === LOOKS;
  };
}

/** Unlike `gc` of `--expose-gc`, it needs no flag and shrinks the young generation. Resolves when it is done. */
export function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  return new Promise((resolve) => {
    session.post('HeapProfiler.collectGarbage', () =>
      // V8 holds a lock during this callback, for which `disconnect` would wait forever.
      setImmediate(() => {
        session.disconnect();
        resolve();
      }),
    );
  });
}
