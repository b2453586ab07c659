import { EventEmitter } from 'node:events';
import { MongoClient } from 'mongodb';
import { within } from '../../../../test/kit/polling.js';
import { refuseRareHeartbeats, HeartbeatWatch } from './heartbeat-watch.js';

const SOON_MS = 5_000;
const LIMITS = { checkMs: 20, awaitedMs: 40, graceMs: 10 };
const server = { connectionId: 'db:27017', address: 'db:27017' };

class Client extends EventEmitter {
  readonly did: string[] = [];
  refusals = 0;

  async close(): Promise<void> {
    this.did.push('close');
  }

  async connect(): Promise<void> {
    this.did.push('connect');
    if (this.refusals-- > 0) throw new Error('no server');
    this.emit('serverHeartbeatStarted', { ...server, awaited: false });
    this.emit('serverHeartbeatSucceeded', server);
  }
}

function scene() {
  const client = new Client();
  let revivals = 0;
  const watch = new HeartbeatWatch(client as unknown as MongoClient, () => void revivals++, LIMITS);
  return { client, watch, revivals: () => revivals };
}
/** Longer than any limit. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 120));

describe('supervising the driver’s server monitor', () => {
  it.each([false, true])('reconnects when a check never ends (awaited: %s)', async (awaited) => {
    const { client, watch, revivals } = scene();
    client.emit('serverHeartbeatStarted', { ...server, awaited });
    await within(SOON_MS, () => revivals() === 1);
    await watch.stop();

    expect(client.did).toEqual(['close', 'connect']);
  });

  it('does not reconnect when a check succeeds or fails, or when its server is removed', async () => {
    const { client, watch } = scene();
    for (const end of ['serverHeartbeatSucceeded', 'serverHeartbeatFailed', 'serverClosed']) {
      client.emit('serverHeartbeatStarted', { ...server, awaited: false });
      client.emit(end, server);
    }
    await aWhile();
    await watch.stop();

    expect(client.did).toEqual([]);
  });

  it('reconnects until a server is available', async () => {
    const { client, watch } = scene();
    client.refusals = 1;
    client.emit('serverHeartbeatStarted', { ...server, awaited: false });
    await within(SOON_MS, () => client.did.length === 3);
    await watch.stop();

    expect(client.did).toEqual(['close', 'connect', 'connect']);
  });

  it('ends when its client closes', async () => {
    const { client, watch } = scene();
    client.emit('serverHeartbeatStarted', { ...server, awaited: false });
    await watch.stop();
    client.emit('serverHeartbeatStarted', { ...server, awaited: false });
    await aWhile();

    expect(client.did).toEqual([]);
  });
});

describe('a URL with rare heartbeats', () => {
  const naming = (ms: number) => () =>
    refuseRareHeartbeats(new MongoClient(`mongodb://127.0.0.1/rps?heartbeatFrequencyMS=${ms}`));

  it('is refused by the name of its option', () => {
    expect(naming(10_001)).toThrow('heartbeatFrequencyMS in MONGODB_URL must be at most 10000');
    expect(naming(10_000)).not.toThrow();
  });
});
