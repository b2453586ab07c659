import { Readable } from 'node:stream';
import type { StreamingRead } from '@eventstore/db-client';
import { collected } from './log-reader.js';
import { UnavailableError } from '../../../kernel/errors.js';

/** A read of the client: a stream of these items, which ends when `isWhole`. */
function reading(items: readonly number[], isWhole: boolean): Readable & StreamingRead<number> {
  const stream = new Readable({ objectMode: true, read: () => undefined });
  for (const item of items) stream.push(item);
  if (isWhole) stream.push(null);
  return Object.assign(stream, { cancel: async () => undefined }) as never;
}

describe('collecting a read', () => {
  it('returns all items of a stream that ends', async () => {
    expect(await collected(reading([1, 2], true), 5_000, 'reading')).toEqual([1, 2]);
    expect(await collected(reading([], true), 5_000, 'reading')).toEqual([]);
  });

  it.each([[[]], [[1, 2]]])(
    'fails when the stream is cut off after %j, instead of returning a part',
    async (items) => {
      const stream = reading(items, false);
      const read = collected(stream, 5_000, 'reading');
      setImmediate(() => stream.destroy());
      await expect(read).rejects.toThrow(UnavailableError);
    },
  );

  it('fails with the error of the stream', async () => {
    const stream = reading([1], false);
    const read = collected(stream, 5_000, 'reading');
    setImmediate(() => stream.destroy(new Error('down')));
    await expect(read).rejects.toThrow('down');
  });
});
