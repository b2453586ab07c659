import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { resending, takenOf } from './mongo-errors.js';
import type { ViewRow } from './view-rows.js';

/** One bulk; a frozen server must be noticed in seconds, and thousands of documents take that long. */
const MOST_AT_ONCE = 1_000;

/**
 * Writes rows where an earlier revision is, or nothing. Resolves to how many were stale.
 * The filter finds nothing in two cases, and then the upsert fails on `_id_`: what is there is as new (stale), or
 * another writer inserted an older revision at the same moment. So those are asked again without inserting.
 */
export async function writeGated(collection: Collection<ViewRow>, rows: readonly ViewRow[]): Promise<number> {
  let stale = 0;
  for (let first = 0; first < rows.length; first += MOST_AT_ONCE) {
    const page = rows.slice(first, first + MOST_AT_ONCE);
    const taken = await refused(collection, page);
    stale += taken.length > 0 ? taken.length - (await replaced(collection, taken)) : 0;
  }
  return stale;
}

async function refused(
  collection: Collection<ViewRow>,
  rows: readonly ViewRow[],
): Promise<readonly ViewRow[]> {
  try {
    await resending(() => collection.bulkWrite(operations(rows, true), { ordered: false }));
    return [];
  } catch (error) {
    return takenOf(error).map((index) => rows[index]!);
  }
}

async function replaced(collection: Collection<ViewRow>, rows: readonly ViewRow[]): Promise<number> {
  const again = () => collection.bulkWrite(operations(rows, false), { ordered: false });
  const { matchedCount } = await resending(again);
  return matchedCount;
}

function operations(rows: readonly ViewRow[], upsert: boolean): AnyBulkWriteOperation<ViewRow>[] {
  return rows.map((row) => {
    const { _id, ...replacement } = row;
    return { replaceOne: { filter: { _id, revision: { $lt: row.revision } }, replacement, upsert } };
  });
}
