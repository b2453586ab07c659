const LONGEST_MS = 30_000;
const PAUSE_MS = 20;

/** Looks again and again until there is something. @throws when it takes far too long. */
export async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + LONGEST_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
