import { positionFromNumber } from '../../src/event-sourcing/write/event-codec.js';
import type { CheckpointStore } from '../../src/event-sourcing/ports/event-store.port.js';
import { onEach } from './fresh-keys.js';
import type { Fixture } from './implementations.js';

const at = positionFromNumber;

/** As `expectOneHolderOfEachKey` of the locks. Rejects when a checkpoint ends before the furthest that was put. */
export async function expectTheFurthestOfEachName(
  instances: readonly Pick<CheckpointStore, 'get' | 'put'>[],
): Promise<void> {
  // The furthest is put first: a store that keeps the last write loses it.
  const put = (store: Pick<CheckpointStore, 'put'>, name: string, n: number) =>
    store.put(name, at(instances.length - n));
  await onEach('warm', instances, put);
  const names = [...(await onEach('fresh', instances, put)).keys()];
  const kept = await Promise.all(names.map((name) => instances[0]!.get(name)));
  expect(kept).toEqual(names.map(() => at(instances.length)));
}

export function checkpointStoreContract(fixture: Fixture): void {
  const store = () => fixture.stores.checkpoints;

  describe('checkpoints', () => {
    it('are undefined before the first put', async () => {
      expect(await store().get('fan-out')).toBeUndefined();
    });

    it('are stored by name, across a restart', async () => {
      await store().put('fan-out', at(7));
      await store().put('other', at(3));
      await fixture.reopen();

      expect(await store().get('fan-out')).toBe(at(7));
      expect(await store().get('other')).toBe(at(3));
    });

    it('never move back', async () => {
      await store().put('fan-out', at(10));
      await store().put('fan-out', at(9));
      expect(await store().get('fan-out')).toBe(at(10));

      await store().put('fan-out', at(10));
      await Promise.all([12, 11, 100, 99].map((place) => store().put('fan-out', at(place))));
      expect(await store().get('fan-out')).toBe(at(100));
    });

    it('are replaced only by who knows what is stored, back too', async () => {
      expect(await store().replace('index', 'anything', 'b')).toBe(false);
      expect(await store().replace('index', undefined, 'b')).toBe(true);
      expect(await store().replace('index', undefined, 'c')).toBe(false);
      expect(await store().replace('index', 'c', 'd')).toBe(false);
      expect(await store().get('index')).toBe('b');
      expect(await store().replace('index', 'b', 'a')).toBe(true);
      await fixture.reopen();
      expect(await store().get('index')).toBe('a');
    });

    it.each([undefined, 'before'])('are replaced by one of many at once: %s', async (before) => {
      if (before) await store().replace('index', undefined, before);
      const texts = Array.from({ length: 12 }, (_, n) => `text ${n}`);
      const replaced = await Promise.all(texts.map((text) => store().replace('index', before, text)));
      const winners = texts.filter((_, n) => replaced[n]);
      expect(winners).toEqual([await store().get('index')]);
    });

    it('keep the furthest of concurrent puts, for each of many fresh names', async () => {
      await expectTheFurthestOfEachName([store(), store(), store(), store()]);
    });
  });
}
