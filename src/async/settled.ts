/** Waits for all before it fails, so that nothing goes on after the answer. */
export async function settled<T>(all: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(all);
  return Promise.all(all);
}
