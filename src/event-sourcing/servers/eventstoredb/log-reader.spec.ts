import { Readable } from 'node:stream';
import { END, FORWARDS, type ReadAllOptions } from '@eventstore/db-client';
import type { Client } from './client.js';
import { ClientHolder } from './client-holder.js';
import { LogReader } from './log-reader.js';
import { isAfter, type LogPosition } from './stored-events.js';
import { positionFromNumber } from '../../write/event-codec.js';
import { UnavailableError } from '../../../kernel/errors.js';

const credentials = { username: 'admin', password: 'changeit' };
const at = (commit: bigint, prepare = commit): LogPosition => ({ commit, prepare });

/** A client whose reads stay unanswered until it is closed: then they end, as cancelled reads of the real one do. */
function silentClient(): Client {
  const reads: Readable[] = [];
  const readStream = () => {
    const read = Object.assign(new Readable({ objectMode: true, read: () => undefined }), {
      cancel: async () => undefined,
    });
    reads.push(read);
    return read;
  };
  const close = async () => reads.forEach((read) => read.push(null));
  return { calls: { readStream }, isConnected: false, close } as unknown as Client;
}

describe('reading a stream', () => {
  it('fails when the client is replaced meanwhile', async () => {
    const holder = new ClientHolder({ make: silentClient, replaced: () => undefined });
    const reader = new LogReader(holder, credentials, 5_000);
    const read = reader.stream('job-1', 0, 10);
    const silent = holder.current;
    for (let n = 0; n < 2; n++) holder.failed(silent, new Error('odd'));

    expect(holder.current).not.toBe(silent);
    await expect(read).rejects.toThrow(UnavailableError);
  });
});

/** A client whose log holds system events at these positions. */
function clientOver(...places: readonly LogPosition[]): Client {
  const readAll = ({ direction, fromPosition, maxCount }: ReadAllOptions) => {
    const from = fromPosition as LogPosition;
    const found =
      direction === FORWARDS
        ? places.filter((place) => !isAfter(from, place))
        : [...places].reverse().filter((place) => isAfter(from, place));
    const events = found.slice(0, Number(maxCount)).map((position) => ({ event: { position, type: '$x' } }));
    return Object.assign(Readable.from(events), { cancel: async () => undefined });
  };
  return { calls: { readAll }, isConnected: true, close: async () => undefined } as unknown as Client;
}

describe('beginning a subscription after a position', () => {
  const anchorOf = (position: number, ...places: readonly LogPosition[]) => {
    const holder = new ClientHolder({ make: () => clientOver(...places), replaced: () => undefined });
    const reader = new LogReader(holder, credentials, 5_000);
    return reader.anchor(String(position).padStart(20, '0'));
  };
  it('begins at a record at that position', async () => {
    expect(await anchorOf(20, at(10n), at(20n), at(30n))).toEqual(at(20n));
  });

  it('begins at the record before a missing one', async () => {
    expect(await anchorOf(20, at(10n), at(30n))).toEqual(at(10n));
  });

  it('begins at the last record of an earlier transaction', async () => {
    expect(await anchorOf(20, at(10n), at(20n, 15n), at(30n))).toEqual(at(20n, 15n));
  });
});

describe('looking for the newest event of ours', () => {
  const ours = (type: string) => ({ type, streamId: 'note-1' });
  const statistics = { type: '$statsCollected', streamId: '$stats' };
  /** A log of these records; the newest last. */
  function logOf(records: readonly { type: string; streamId: string }[]) {
    const stored = records.map((record, n) => ({ ...record, id: `id-${n}`, position: at(BigInt(n + 1)) }));
    const breaks = { every: Infinity };
    let reads = 0;
    const readAll = ({ fromPosition, maxCount }: ReadAllOptions) => {
      reads++;
      if (reads % breaks.every === 0) throw new UnavailableError('broken', 'not_written');
      const before =
        (fromPosition as string) === END ? Infinity : Number((fromPosition as LogPosition).commit) - 1;
      const found = stored.slice(0, before).reverse().slice(0, Number(maxCount));
      return Object.assign(Readable.from(found.map((event) => ({ event }))), {
        cancel: async () => undefined,
      });
    };
    const client = { calls: { readAll }, isConnected: true, close: async () => undefined };
    const make = () => client as unknown as Client;
    const reader = new LogReader(new ClientHolder({ make, replaced: () => undefined }), credentials, 5_000);
    const append = (record: { type: string; streamId: string }) =>
      stored.push({ ...record, id: `id-${stored.length}`, position: at(BigInt(stored.length + 1)) });
    const readsOf = async (work: () => Promise<unknown>) => {
      const earlier = reads;
      await work();
      return reads - earlier;
    };
    return { reader, append, breaks, readsOf, stored };
  }

  it('finds it behind any number of other records', async () => {
    const { reader } = logOf([ours('A'), ...Array.from({ length: 25_000 }, () => statistics)]);
    expect(await reader.newestOfOurs()).toBe(positionFromNumber(1));
    expect(await reader.newestOfOurs(['B'])).toBeUndefined();
  });

  it('looks through no record twice', async () => {
    const { reader, append, readsOf } = logOf([
      ours('A'),
      ...Array.from({ length: 5_000 }, () => statistics),
    ]);
    expect(await readsOf(() => reader.newestOfOurs(['A']))).toBeGreaterThan(10);
    append(statistics);
    expect(await readsOf(() => reader.newestOfOurs(['A']))).toBe(1);
    expect(await reader.newestOfOurs(['A'])).toBe(positionFromNumber(1));
    append(ours('A'));
    expect(await reader.newestOfOurs(['A'])).toBe(positionFromNumber(5_003));
  });

  it('is one search for all callers, and one more for those that asked meanwhile', async () => {
    const { reader, readsOf } = logOf([ours('A'), ...Array.from({ length: 5_000 }, () => statistics)]);
    const searches = () => Promise.all([1, 2, 3].map(() => reader.newestOfOurs(['A'])));
    expect(await readsOf(searches)).toBe(12);
  });

  it('goes on where it was interrupted', async () => {
    const foreign = Array.from({ length: 100_000 }, () => statistics);
    const { reader, append, breaks } = logOf([ours('A'), ...foreign]);
    breaks.every = 50;
    for (let n = 0; n < 4; n++) {
      await expect(reader.newestOfOurs(['A'])).rejects.toThrow('broken');
      append(statistics);
    }
    expect(await reader.newestOfOurs(['A'])).toBe(positionFromNumber(1));
    append(ours('A'));
    expect(await reader.newestOfOurs(['A'])).toBe(positionFromNumber(100_006));
  });

  it('misses no event that was appended before it could go on', async () => {
    const { reader, append, breaks } = logOf([ours('A'), ...Array.from({ length: 5_000 }, () => statistics)]);
    expect(await reader.newestOfOurs(['A'])).toBe(positionFromNumber(1));
    append(ours('A'));
    for (let n = 0; n < 5_000; n++) append(statistics);
    breaks.every = 16;
    await expect(reader.newestOfOurs(['A'])).rejects.toThrow('broken');
    expect(await reader.newestOfOurs(['A'])).toBe(positionFromNumber(5_002));
  });

  it('begins anew in an older copy, which has another record there', async () => {
    const { reader, stored } = logOf([ours('A'), ours('B'), ...Array.from({ length: 50 }, () => statistics)]);
    expect(await reader.newestOfOurs()).toBe(positionFromNumber(2));
    stored.splice(1);
    for (let n = 1; n < 60; n++)
      stored.push({ ...statistics, id: `other-${n}`, position: at(BigInt(n + 1)) });
    expect(await reader.newestOfOurs()).toBe(positionFromNumber(1));
  });
});
