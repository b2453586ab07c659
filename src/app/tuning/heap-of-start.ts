import { Session } from 'node:inspector';
import { performance } from 'node:perf_hooks';
import type { Milliseconds } from '../../kernel/time.js';

const POLL_MS: Milliseconds = 1_000;
const IDLE = 0.05;
/** After this many busy seconds V8 decides. */
const MAX_POLLS = 60;

/** Frees 30 MB in about 50 ms, which V8 alone does after 8 to 30 s. */
export function freeHeapOfStart(): void {
  let before = performance.eventLoopUtilization();
  const utilization = () => {
    const now = performance.eventLoopUtilization();
    const { utilization: share } = performance.eventLoopUtilization(now, before);
    before = now;
    return share;
  };
  const poll = pollingForIdleness(utilization, () => void collectGarbage());
  const timer = setInterval(() => poll() && clearInterval(timer), POLL_MS).unref();
}

/** @returns a poll that calls `free` when idle, and returns true if it was the last */
export function pollingForIdleness(utilization: () => number, free: () => void): () => boolean {
  let polls = 0;
  return () => {
    polls++;
    const isIdle = utilization() < IDLE;
    if (isIdle) free();
    return isIdle || polls === MAX_POLLS;
  };
}

/** Unlike `gc` of `--expose-gc`, needs no flag and shrinks the young generation. */
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
