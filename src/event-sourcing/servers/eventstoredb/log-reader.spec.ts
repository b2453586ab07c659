import { Readable } from 'node:stream';
import { FORWARDS, type ReadAllOptions } from '@eventstore/db-client';
import type { Client } from './client.js';
import { ClientHolder } from './client-holder.js';
import { LogReader } from './log-reader.js';
import { isAfter, type LogPosition } from './stored-events.js';
import { UnavailableError } from '../../../kernel/errors.js';

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
    const reader = new LogReader(holder, { username: 'admin', password: 'changeit' }, 5_000);
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
    const credentials = { username: 'admin', password: 'changeit' };
    const reader = new LogReader(holder, credentials, 5_000);
    return reader.anchor(String(position).padStart(20, '0'));
  };
  const at = (commit: bigint, prepare = commit): LogPosition => ({ commit, prepare });

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
