import { ManualClock } from '../../../../test/kit/manual-clock.js';
import type { Collection, Db } from 'mongodb';
import { bulksOf } from './upserts.js';
import { writeGated } from './gated-writes.js';
import { MongoLivenessStore } from './mongo-liveness-store.js';
import type { ViewRow } from './view-rows.js';
import { ViewTotals } from './view-totals.js';
import { positionFromNumber } from '../../write/event-codec.js';

interface SentOperation {
  readonly [kind: string]: { readonly filter: { readonly _id: string } };
}

/** A collection that takes every bulk and remembers the ids of each. */
class RecordingCollection {
  readonly bulks: string[][] = [];
  orderedBulks = 0;

  find() {
    return { toArray: async () => [] };
  }

  async bulkWrite(operations: readonly SentOperation[], { ordered }: { ordered: boolean }): Promise<void> {
    if (ordered) this.orderedBulks++;
    this.bulks.push(operations.map((operation) => Object.values(operation)[0]!.filter._id));
  }
}

const ids = (length: number) =>
  Array.from({ length }, (_, n) => `id-${String((n * 7919) % length).padStart(5, '0')}`);

describe('splitting writes into bulks', () => {
  it('sorts them by id', () => {
    expect(bulksOf([{ _id: 'b' }, { _id: 'a' }, { _id: 'c' }])).toEqual([
      [{ _id: 'a' }, { _id: 'b' }, { _id: 'c' }],
    ]);
  });

  it('limits the number of writes in each', () => {
    const bulks = bulksOf(ids(2_500).map((_id) => ({ _id })));

    expect(bulks.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
    expect(bulks.flat().map(({ _id }) => _id)).toEqual(ids(2_500).sort());
  });

  it('limits the characters in each, and sends a larger write alone', () => {
    const writes = [3, 1, 2, 9].map((size, n) => ({ _id: `${n}`, size: size * 1_024 * 1_024 }));

    expect(bulksOf(writes, ({ size }) => size).map((bulk) => bulk.map(({ _id }) => _id))).toEqual([
      ['0', '1'],
      ['2'],
      ['3'],
    ]);
  });
});

describe('bulks of the stores', () => {
  const sent = (length: number) => [ids(length).sort().slice(0, 1_000), ids(length).sort().slice(1_000)];

  it('write documents in the order of their ids', async () => {
    const collection = new RecordingCollection();
    const rows: ViewRow[] = ids(1_200).map((_id) => ({ _id, _revision: 0 }));
    await writeGated(collection as unknown as Collection<ViewRow>, rows);

    expect(collection.bulks).toEqual(sent(1_200));
  });

  it('write totals before the documents that they count, in one ordered bulk', async () => {
    const collection = new RecordingCollection();
    const at = positionFromNumber(1);
    const changes = ['b', 'a', 'b'].map((key) => ({ key, position: at, by: 1 }) as const);
    const rows: ViewRow[] = ['y', 'x'].map((_id) => ({ _id, _revision: 0 }));
    const kept = new ViewTotals();
    await writeGated(collection as unknown as Collection<ViewRow>, rows, { kept, changes });

    expect(collection.bulks).toEqual([['$total:a', '$total:b', 'x', 'y']]);
    expect(collection.orderedBulks).toBe(1);
  });

  it('write heartbeats in the order of their keys', async () => {
    const collection = new RecordingCollection();
    const store = new MongoLivenessStore(
      { collection: () => collection } as unknown as Db,
      new ManualClock(),
    );
    await store.recordHeartbeat(ids(1_200), '2026-11-22T12:00:00.000Z');

    expect(collection.bulks).toEqual(sent(1_200));
  });
});
