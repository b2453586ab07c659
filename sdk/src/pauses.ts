const STEP_MS = 500;
const LONGEST_MS = 8_000;

/** A random wait before the repeat after `attempts` requests: at most 0.5 s · 2^attempts, and at most 8 s. */
export function retryDelayMs(attempts: number): number {
  return Math.random() * Math.min(LONGEST_MS, STEP_MS * 2 ** attempts);
}

/** @throws the reason of the signal when it aborts */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}
