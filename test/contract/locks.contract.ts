import type { Locks } from '../../src/event-sourcing/ports/group-leases.port.js';
import { onEach } from './fresh-keys.js';

/**
 * Races all instances for each of many keys that were never locked before, over connections that are already in use: a
 * store whose first write of a key is not atomic shows two holders there. Rejects when one key had two.
 */
export async function expectOneHolderOfEachKey(instances: readonly Locks[]): Promise<void> {
  await onEach('warm', instances, (locks, key) => locks.run(key, async () => undefined));
  const doubled = new Set<string>();
  const inside = new Set<string>();
  const hold = (key: string) => async () => {
    if (inside.has(key)) doubled.add(key);
    inside.add(key);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inside.delete(key);
  };
  await onEach('fresh', instances, (locks, key) => locks.run(key, hold(key)));
  expect([...doubled]).toEqual([]);
}

/** @param instances Locks of several instances of the service over one store; one is enough for stores of one process. */
export function locksContract(instances: () => readonly Locks[]): void {
  const on = (n: number) => instances()[n % instances().length]!;

  describe('running under a lock', () => {
    it('returns the result or the error of the work', async () => {
      expect(await on(0).run('a', async () => 7)).toBe(7);
      const failing = async () => {
        throw new RangeError('no');
      };

      await expect(on(0).run('a', failing)).rejects.toThrow(RangeError);
      expect(await on(1).run('a', async () => 8)).toBe(8);
    });

    it('runs works with the same key one at a time', async () => {
      let inside = 0;
      let most = 0;
      let count = 0;
      const add = async () => {
        most = Math.max(most, ++inside);
        const before = count;
        await new Promise((resolve) => setImmediate(resolve));
        count = before + 1;
        inside--;
      };
      await Promise.all(Array.from({ length: 24 }, (_, n) => on(n).run('counter', add)));

      expect({ most, count }).toEqual({ most: 1, count: 24 });
    });

    it('runs works with the same fresh key one at a time, for each of many keys', async () => {
      await expectOneHolderOfEachKey(instances());
    });

    it('gives each of two instances its turn, however many wait', async () => {
      const turns: number[] = [];
      const slowly = async (n: number) => {
        turns.push(n % 2);
        await new Promise((resolve) => setTimeout(resolve, 15));
      };
      await Promise.all(Array.from({ length: 60 }, (_, n) => on(n % 2).run('busy', () => slowly(n))));

      expect(turns).toHaveLength(60);
      // Each has 30 turns: the first could take them all, but must yield before.
      expect(new Set(turns.slice(0, 30))).toEqual(new Set([0, 1]));
    });

    it('does not block other keys', async () => {
      const inside = await on(0).run('a', () => on(1).run('b', async () => 'inside'));

      expect(inside).toBe('inside');
    });
  });
}
