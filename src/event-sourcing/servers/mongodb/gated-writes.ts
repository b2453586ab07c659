import { BSON, type AnyBulkWriteOperation, type Collection } from 'mongodb';
import type { CountChange } from '../../ports/view-writer.port.js';
import { bulksOf } from './upserts.js';
import { retrySocket, takenOf } from './mongo-errors.js';
import type { ViewRow } from './view-rows.js';
import { type TotalWrite, type ViewTotals } from './view-totals.js';
import { UnavailableError } from '../../../kernel/errors.js';

const MAX_TRIES = 10;
const MAX_TOGETHER = 1_000;

type Operation = AnyBulkWriteOperation<ViewRow>;

/** Totals first (docs/decisions/046-totals-gated-by-position.md). Resolves to the number of stale rows. */
export async function writeGated(
  collection: Collection<ViewRow>,
  rows: readonly ViewRow[],
  totals?: { readonly kept: ViewTotals; readonly changes: readonly CountChange[] },
): Promise<number> {
  const bulks = [...bulksOf(rows, BSON.calculateObjectSize)];
  if (totals) {
    const first = bulks.shift() ?? [];
    bulks.unshift(first.slice(await writeTogether(collection, first, totals.kept, totals.changes)));
    await writeTotals(collection, totals.kept, totals.changes);
  }
  let stale = 0;
  for (const bulk of bulks) stale += bulk.length - (await writeBulk(collection, bulk));
  return stale;
}

/** One ordered bulk that ends at the first refusal. Resolves to the written rows. */
async function writeTogether(
  collection: Collection<ViewRow>,
  rows: readonly ViewRow[],
  kept: ViewTotals,
  changes: readonly CountChange[],
): Promise<number> {
  const writes = [...(await kept.next(collection, changes))].sort((a, b) => (a._id < b._id ? -1 : 1));
  if (writes.length === 0 || writes.length + rows.length > MAX_TOGETHER) return 0;
  const operations = [...totalOperations(writes), ...rowOperations(rows)];
  const [refusal = operations.length] = await refused(collection, operations, { ordered: true });
  kept.note(collection, writes.slice(0, refusal));
  kept.invalidate(collection, writes.slice(refusal));
  return Math.max(0, refusal - writes.length);
}

/** Reads a total again that another writer moved, and applies the missing changes. */
async function writeTotals(
  collection: Collection<ViewRow>,
  kept: ViewTotals,
  changes: readonly CountChange[],
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const writes = await kept.next(collection, changes);
    if (writes.length === 0) return;
    for (const bulk of bulksOf(writes)) {
      const taken = await refused(collection, totalOperations(bulk), { ordered: false });
      kept.note(collection, bulk);
      kept.invalidate(
        collection,
        taken.map((index) => bulk[index]!),
      );
    }
  }
  throw lostEveryRace();
}

/** If an upsert fails on `_id_`, a read tells a stale write from a concurrent insert. */
async function writeBulk(collection: Collection<ViewRow>, rows: readonly ViewRow[]): Promise<number> {
  let written = 0;
  let left = rows;
  for (let tries = 0; left.length > 0; tries++) {
    if (tries === MAX_TRIES) throw lostEveryRace();
    const taken = await refused(collection, rowOperations(left), { ordered: false });
    written += left.length - taken.length;
    const again = taken.map((index) => left[index]!);
    left = again.length > 0 ? await newer(collection, again) : [];
  }
  return written;
}

/** Operations whose filter matched nothing although the id is stored. */
async function refused(
  collection: Collection<ViewRow>,
  operations: readonly Operation[],
  options: { readonly ordered: boolean },
): Promise<readonly number[]> {
  try {
    await retrySocket(() => collection.bulkWrite(operations, options));
    return [];
  } catch (error) {
    return takenOf(error);
  }
}

async function newer(collection: Collection<ViewRow>, rows: readonly ViewRow[]): Promise<readonly ViewRow[]> {
  const found = await collection
    .find({ _id: { $in: rows.map(({ _id }) => _id) } }, { batchSize: rows.length + 1 })
    .project<Pick<ViewRow, '_id' | '_revision'>>({ _revision: 1 })
    .toArray();
  const there = new Map(found.map(({ _id, _revision }) => [_id, _revision]));
  return rows.filter(({ _id, _revision }) => (there.get(_id) ?? -1) < _revision);
}

function rowOperations(rows: readonly ViewRow[]): Operation[] {
  return rows.map((row) => {
    const { _id, ...replacement } = row;
    return { replaceOne: { filter: { _id, _revision: { $lt: row._revision } }, replacement, upsert: true } };
  });
}

function totalOperations(writes: readonly TotalWrite[]): Operation[] {
  const operations = writes.map(({ _id, before, n, at }) => ({
    replaceOne: { filter: { _id, at: before }, replacement: { n, at }, upsert: true },
  }));
  return operations as unknown as Operation[];
}

function lostEveryRace(): UnavailableError {
  return new UnavailableError('lost every race to write a document');
}
