import type { GroupLeases } from '../../src/event-sourcing/ports/group-leases.port.js';
import { onEach } from './fresh-keys.js';

/** As `expectOneHolderOfEachKey` of the locks. Rejects when one group was given to two holders, or to none. */
export async function expectOneHolderOfEachGroup(instances: readonly GroupLeases[]): Promise<void> {
  const acquire = (leases: GroupLeases, group: string, n: number) =>
    leases.acquire(group, `holder-${n}`, 60_000);
  await onEach('warm', instances, acquire);
  const given = await onEach('fresh', instances, acquire);
  const holders = [...given].map(([group, leases]) => [group, leases.filter((one) => one).length]);
  expect(holders.filter(([, count]) => count !== 1)).toEqual([]);
}

/**
 * @param instances leases of several instances of the service over one store
 * @param pass lets time of the leases' clock pass, in ms
 */
export function groupLeasesContract(
  instances: () => readonly GroupLeases[],
  pass: (ms: number) => Promise<void>,
): void {
  const leases = () => instances()[0]!;
  const LONG = 60_000;
  const acquire = (holder: string, forMs = LONG, group = 'views') => leases().acquire(group, holder, forMs);

  describe('acquiring a lease', () => {
    it('gives it to one holder at a time', async () => {
      const held = await acquire('one');

      expect(held).toEqual({ group: 'views', holder: 'one', epoch: expect.any(Number) });
      expect(await acquire('two')).toBeUndefined();
    });

    it('grants it to one of many concurrent requests', async () => {
      const asked = Array.from({ length: 12 }, (_, n) => acquire(`holder-${n}`));

      expect((await Promise.all(asked)).filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    it('grants each of many fresh groups to one of its concurrent requests', async () => {
      await expectOneHolderOfEachGroup(instances());
    });

    it('extends it for its holder, in the same epoch', async () => {
      const held = await acquire('one', 1_000);
      expect(await acquire('one')).toEqual(held);
      await pass(1_050);

      expect(await acquire('two')).toBeUndefined();
    });

    it('gives it to the next holder after its end, in a later epoch', async () => {
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
    it('lets the next holder take it at once, in a later epoch', async () => {
      const held = await acquire('one');
      await leases().release(held!);
      const next = await acquire('two');

      expect(next?.epoch).toBeGreaterThan(held!.epoch);
    });

    it('does nothing if another instance holds it', async () => {
      const held = await acquire('one', 50);
      await pass(100);
      await acquire('two');
      await leases().release(held!);
      await leases().release({ ...held!, group: 'unknown' });

      expect(await acquire('three')).toBeUndefined();
    });
  });
}
