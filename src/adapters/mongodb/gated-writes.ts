import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { UnavailableError } from '../../ports/event-store.port.js';
import { retrySocket, takenOf } from './mongo-errors.js';
import type { ViewRow } from './view-rows.js';

/** One bulk; a frozen server must be noticed in seconds, and thousands of documents take that long. */
const MOST_AT_ONCE = 1_000;
const MOST_TRIES = 10;

/** Writes rows where an earlier revision is, or nothing. Resolves to how many were stale. */
export async function writeGated(collection: Collection<ViewRow>, rows: readonly ViewRow[]): Promise<number> {
  let stale = 0;
  for (let first = 0; first < rows.length; first += MOST_AT_ONCE) {
    const page = rows.slice(first, first + MOST_AT_ONCE);
    stale += page.length - (await writePage(collection, page));
  }
  return stale;
}

/**
 * Resolves to how many were written. An upsert fails on `_id_` when its filter found nothing: either what is there is
 * as new (stale), or another writer inserted an older revision at the same moment. Only a look tells.
 */
async function writePage(collection: Collection<ViewRow>, rows: readonly ViewRow[]): Promise<number> {
  let written = 0;
  let left = rows;
  for (let tries = 0; left.length > 0; tries++) {
    if (tries === MOST_TRIES) throw new UnavailableError('lost every race to insert a document');
    const taken = await refused(collection, left);
    written += left.length - taken.length;
    left = taken.length > 0 ? await newer(collection, taken) : [];
  }
  return written;
}

async function refused(
  collection: Collection<ViewRow>,
  rows: readonly ViewRow[],
): Promise<readonly ViewRow[]> {
  try {
    await retrySocket(() => collection.bulkWrite(operations(rows), { ordered: false }));
    return [];
  } catch (error) {
    return takenOf(error).map((index) => rows[index]!);
  }
}

/** Those of the rows that are newer than what is there. */
async function newer(collection: Collection<ViewRow>, rows: readonly ViewRow[]): Promise<readonly ViewRow[]> {
  const found = await collection
    .find({ _id: { $in: rows.map(({ _id }) => _id) } }, { batchSize: rows.length + 1 })
    .project<Pick<ViewRow, '_id' | 'revision'>>({ revision: 1 })
    .toArray();
  const there = new Map(found.map(({ _id, revision }) => [_id, revision]));
  return rows.filter(({ _id, revision }) => (there.get(_id) ?? -1) < revision);
}

function operations(rows: readonly ViewRow[]): AnyBulkWriteOperation<ViewRow>[] {
  return rows.map((row) => {
    const { _id, ...replacement } = row;
    return { replaceOne: { filter: { _id, revision: { $lt: row.revision } }, replacement, upsert: true } };
  });
}
