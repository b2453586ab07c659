import type { Locks } from '../../src/ports/locks.port.js';

/** @param instances locks of several instances over one store; one is enough for stores of one process */
export function locksContract(instances: () => readonly Locks[]): void {
  const on = (n: number) => instances()[n % instances().length]!;

  describe('running under a lock', () => {
    it('returns the result of the work, or its error', async () => {
      expect(await on(0).run('a', async () => 7)).toBe(7);
      const failing = async () => {
        throw new RangeError('no');
      };

      await expect(on(0).run('a', failing)).rejects.toThrow(RangeError);
      expect(await on(1).run('a', async () => 8)).toBe(8);
    });

    it('runs one at a time per key', async () => {
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

    it('gives every instance a turn, however many wait', async () => {
      const turns: number[] = [];
      const slowly = async (n: number) => {
        turns.push(n % instances().length);
        await new Promise((resolve) => setTimeout(resolve, 15));
      };
      await Promise.all(Array.from({ length: 60 }, (_, n) => on(n).run('busy', () => slowly(n))));

      expect(turns).toHaveLength(60);
      const first = turns.slice(0, 40);
      for (let n = 0; n < instances().length; n++) expect(first).toContain(n);
    });

    it('does not delay other keys', async () => {
      const inside = await on(0).run('a', () => on(1).run('b', async () => 'inside'));

      expect(inside).toBe('inside');
    });
  });
}
