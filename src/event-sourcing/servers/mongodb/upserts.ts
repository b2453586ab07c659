import type { AnyBulkWriteOperation, BulkWriteOptions, Collection } from 'mongodb';
import { calling, retryUpsert, takenOf } from './mongo-errors.js';

interface Upserting<Row> extends Pick<BulkWriteOptions, 'writeConcern'> {
  /** `$max`: a field never becomes smaller. */
  readonly change?: '$max' | '$set';
  /** Bytes of a row. */
  readonly sizeOf?: (row: Row) => number;
}

/** Inserts rows, or updates the fields of those that exist. @throws UnavailableError */
export async function upsertRows<Row extends { readonly _id: string }>(
  stored: Collection<Row>,
  rows: readonly Row[],
  { change = '$max', sizeOf, ...options }: Upserting<Row> = {},
): Promise<void> {
  for (const bulk of bulksOf(rows, sizeOf)) {
    const writes = bulk.map(({ _id, ...fields }) => ({
      updateOne: { filter: { _id }, update: { [change]: fields }, upsert: true },
    }));
    await calling(() => writeBulk(stored, writes as unknown as AnyBulkWriteOperation<Row>[], options));
  }
}

/** Retries rows that another instance inserted at the same moment; the retry compares with them. */
async function writeBulk<Row extends object>(
  stored: Collection<Row>,
  writes: readonly AnyBulkWriteOperation<Row>[],
  options: BulkWriteOptions,
): Promise<void> {
  let left = writes;
  await retryUpsert(async () => {
    try {
      await stored.bulkWrite(left, { ordered: false, ...options });
    } catch (error) {
      left = takenOf(error).map((index) => left[index]!);
      throw error;
    }
  });
}

/** More would take seconds, and a frozen server must be detected within seconds. */
const MAX_WRITES = 1_000;
const MAX_BYTES = 4 * 1_024 * 1_024;

/** Ordered by id, so that concurrent bulks lock in one order. @param sizeOf bytes */
export function bulksOf<Write extends { readonly _id: string }>(
  writes: readonly Write[],
  sizeOf: (write: Write) => number = () => 0,
): readonly (readonly Write[])[] {
  const bulks: Write[][] = [];
  let size = 0;
  for (const write of [...writes].sort(byId)) {
    const bulk = bulks.at(-1);
    size += sizeOf(write);
    if (bulk && bulk.length < MAX_WRITES && size <= MAX_BYTES) bulk.push(write);
    else {
      bulks.push([write]);
      size = sizeOf(write);
    }
  }
  return bulks;
}

function byId(a: { readonly _id: string }, b: { readonly _id: string }): number {
  return a._id < b._id ? -1 : a._id > b._id ? 1 : 0;
}
