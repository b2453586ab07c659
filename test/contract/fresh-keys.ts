const KEYS = 100;
const KEYS_AT_ONCE = 10;

/**
 * Carries out `work` on every instance at once for each of 100 keys, ten keys at a time.
 * @param name begins the keys: a new name gives fresh keys
 */
export async function onEach<Instance, Result>(
  name: string,
  instances: readonly Instance[],
  work: (instance: Instance, key: string, n: number) => Promise<Result>,
): Promise<ReadonlyMap<string, readonly Result[]>> {
  const keys = Array.from({ length: KEYS }, (_, n) => `${name}-${n}`);
  const results = new Map<string, readonly Result[]>();
  for (let first = 0; first < KEYS; first += KEYS_AT_ONCE) {
    const some = keys.slice(first, first + KEYS_AT_ONCE);
    const each = (key: string) => Promise.all(instances.map((instance, n) => work(instance, key, n)));
    await Promise.all(some.map(async (key) => void results.set(key, await each(key))));
  }
  return results;
}
