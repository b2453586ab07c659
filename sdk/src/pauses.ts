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

/** Longest wait that a request asks the service for, and the time limit of its attempt. */
export const WAIT_SECONDS = 25;
export const WAITING_ATTEMPT_MS = 40_000;
/** An empty answer that came earlier was not waited for: something removed the wait from the request. */
export const AT_ONCE_MS = 500;
const IDLE_PAUSES_MS = [1_000, 2_000, 4_000, 5_000] as const;

/** Pause after so many empty answers that came back at once. */
export const idlePauseMs = (idle: number) => IDLE_PAUSES_MS[Math.min(idle, IDLE_PAUSES_MS.length - 1)]!;
