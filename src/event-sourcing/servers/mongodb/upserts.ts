import type { AnyBulkWriteOperation, BulkWriteOptions, Collection } from 'mongodb';
import { bulksOf } from './bulks.js';
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
