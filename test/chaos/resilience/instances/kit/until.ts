const PAUSE_MS = 25;

/** Looks again and again until there is something; resolves to it. @throws when it takes longer than `ms` */
export async function until<T>(what: string, ms: number, look: () => Promise<T | undefined>): Promise<T> {
  const began = performance.now();
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() - began > ms) throw new Error(`waited in vain for ${what}, ${ms} ms`);
    await pause(PAUSE_MS);
  }
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
