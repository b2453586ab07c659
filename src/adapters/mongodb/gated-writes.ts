import type { AnyBulkWriteOperation, Collection } from 'mongodb';
import { UnavailableError } from '../../ports/event-store.port.js';
import { bulksOf } from './bulks.js';
import { retrySocket, takenOf } from './mongo-errors.js';
import type { ViewRow } from './view-rows.js';

const MOST_TRIES = 10;

/** Writes rows over earlier revisions or none. Resolves to the number of stale rows. */
export async function writeGated(collection: Collection<ViewRow>, rows: readonly ViewRow[]): Promise<number> {
  let stale = 0;
  for (const bulk of bulksOf(rows, sizeOf)) stale += bulk.length - (await writeBulk(collection, bulk));
  return stale;
}

/**
 * Resolves to the number of written rows. An upsert fails on `_id_` if its filter matches nothing: either the stored
 * row is as new (stale write), or another writer inserted an older revision at the same moment. Only a read tells.
 */
async function writeBulk(collection: Collection<ViewRow>, rows: readonly ViewRow[]): Promise<number> {
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

/** Rows that are newer than the stored ones. */
async function newer(collection: Collection<ViewRow>, rows: readonly ViewRow[]): Promise<readonly ViewRow[]> {
  const found = await collection
    .find({ _id: { $in: rows.map(({ _id }) => _id) } }, { batchSize: rows.length + 1 })
    .project<Pick<ViewRow, '_id' | 'revision'>>({ revision: 1 })
    .toArray();
  const there = new Map(found.map(({ _id, revision }) => [_id, revision]));
  return rows.filter(({ _id, revision }) => (there.get(_id) ?? -1) < revision);
}

function sizeOf({ document = '' }: ViewRow): number {
  return document.length;
}

function operations(rows: readonly ViewRow[]): AnyBulkWriteOperation<ViewRow>[] {
  return rows.map((row) => {
    const { _id, ...replacement } = row;
    return { replaceOne: { filter: { _id, revision: { $lt: row.revision } }, replacement, upsert: true } };
  });
}
