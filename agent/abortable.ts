/** Waits for `promise`; rejects with the signal's reason as soon as the signal aborts. */
export function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', aborted, { once: true });
    const settled = (): void => signal.removeEventListener('abort', aborted);
    promise.finally(settled).then(resolve, reject);
    if (signal.aborted) aborted();
  });
}
