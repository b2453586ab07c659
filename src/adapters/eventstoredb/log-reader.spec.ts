import { Readable } from 'node:stream';
import { EventCodec } from '../../event-sourcing/write/event-codec.js';
import { UnavailableError } from '../../ports/event-store.port.js';
import type { Client } from './client.js';
import { ClientHolder } from './client-holder.js';
import { LogReader } from './log-reader.js';

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
  it('fails when the client is replaced meanwhile, instead of finding the stream empty', async () => {
    const holder = new ClientHolder({ make: silentClient, replaced: () => undefined });
    const reader = new LogReader(
      holder,
      new EventCodec(),
      { username: 'admin', password: 'changeit' },
      5_000,
    );
    const read = reader.stream('job-1', 0, 10);
    const silent = holder.current;
    for (let n = 0; n < 2; n++) holder.failed(silent, new Error('odd'));

    expect(holder.current).not.toBe(silent);
    await expect(read).rejects.toThrow(UnavailableError);
  });
});
