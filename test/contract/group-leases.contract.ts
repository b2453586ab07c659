import type { GroupLeases } from '../../src/ports/group-leases.port.js';

/** @param pass lets time of the leases' clock pass, in ms */
export function groupLeasesContract(leases: () => GroupLeases, pass: (ms: number) => Promise<void>): void {
  const LONG = 60_000;
  const acquire = (holder: string, forMs = LONG, group = 'views') => leases().acquire(group, holder, forMs);

  describe('acquiring a lease', () => {
    it('grants it to one holder at a time', async () => {
      const held = await acquire('one');

      expect(held).toEqual({ group: 'views', holder: 'one', epoch: expect.any(Number) });
      expect(await acquire('two')).toBeUndefined();
    });

    it('grants it to one of many concurrent requests', async () => {
      const asked = Array.from({ length: 12 }, (_, n) => acquire(`holder-${n}`));

      expect((await Promise.all(asked)).filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    it('extends it for its holder, in the same epoch', async () => {
      const held = await acquire('one', 100);
      expect(await acquire('one')).toEqual(held);
      await pass(150);

      expect(await acquire('two')).toBeUndefined();
    });

    it('grants it to the next when it has expired, in a later epoch', async () => {
      const held = await acquire('one', 50);
      await pass(100);
      const next = await acquire('two');

      expect(next?.epoch).toBeGreaterThan(held!.epoch);
      expect(await acquire('one')).toBeUndefined();
    });

    it('separates groups', async () => {
      await acquire('one');

      expect(await acquire('two', LONG, 'timers')).toMatchObject({ group: 'timers', holder: 'two' });
    });

    it('accepts any text as a name', async () => {
      expect(await acquire('$holder')).toMatchObject({ holder: '$holder' });
      expect(await acquire('$$NOW')).toBeUndefined();
    });
  });

  describe('releasing a lease', () => {
    it('makes it available at once, in a later epoch', async () => {
      const held = await acquire('one');
      await leases().release(held!);
      const next = await acquire('two');

      expect(next?.epoch).toBeGreaterThan(held!.epoch);
    });

    it('does nothing once another holds it', async () => {
      const held = await acquire('one', 50);
      await pass(100);
      await acquire('two');
      await leases().release(held!);
      await leases().release({ ...held!, group: 'unknown' });

      expect(await acquire('three')).toBeUndefined();
    });
  });
}
