/** Aborted by the first SIGTERM or SIGINT; from the call on, neither ends the process by itself. */
export function toldToStop(): AbortSignal {
  const told = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => told.abort());
  return told.signal;
}

export function whenAborted(signal: AbortSignal): Promise<'aborted'> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve('aborted');
    signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
}
