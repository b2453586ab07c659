import { connect } from 'node:http2';
import { once } from 'node:events';
import { soon } from '../../kit/polling.js';
import { all, clientOf, newStream, noted, rejection, Told, unary } from '../../kit/event-store-scene.js';
import { startEventStoreServer, type EventStoreServer } from './eventstore-server.js';

// What real servers do beyond their recordings.
const noStream = { expectedRevision: 'no_stream', credentials: unary } as const;
const NEVER_MS = 3_600_000;

const events = (count: number) => Array.from({ length: count }, (_, n) => noted(n));

const servers: EventStoreServer[] = [];
const clients: ReturnType<typeof clientOf>[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.dispose()));
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function started(...[options]: Parameters<typeof startEventStoreServer>) {
  const server = await startEventStoreServer(options);
  servers.push(server);
  return { server, client: clientFor(server) };
}

function clientFor({ url }: { url: string }) {
  const client = clientOf(url);
  clients.push(client);
  return client;
}

describe('a burst of live events', () => {
  const live = async (like: string) => {
    const { client } = await started({ like });
    const told = new Told(client.subscribeToAll({ fromPosition: 'end' }));
    await told.until('caught up');
    return { client, told };
  };

  it('drops a subscription of 23.10', async () => {
    const { client, told } = await live('23.10.8');
    await client.appendToStream(newStream(), events(100), noStream);
    await told.until('Noted 99');
    await client.appendToStream(newStream(), events(150), noStream);
    await told.until('error timeout');
    expect(told.texts.filter((text) => text === 'caught up')).toHaveLength(1);
  });

  it('makes a subscription of 26 catch up again', async () => {
    const { client, told } = await live('26.0.3');
    await client.appendToStream(newStream(), events(150), noStream);
    await told.until('Noted 149');
    await soon(() => Promise.resolve(told.texts.at(-1) === 'caught up'));
  });
});

describe('a write that is not committed yet', () => {
  const uncommitted = async () => {
    const { server, client } = await started();
    await server.faults.set({ commitMs: NEVER_MS, commitTimeoutMs: 1 });
    const stream = newStream();
    const event = noted(1);
    const first = client.appendToStream(stream, event, noStream);
    const again = () => client.appendToStream(stream, event, noStream);
    await soon(async () => (await server.counters()).appendsReceived === 1);
    return { server, client, stream, first, again };
  };
  const lengthOf = async (client: ReturnType<typeof clientOf>, stream: string) =>
    (await all(client.readStream(stream, { maxCount: 9 }), () => 1)).length;

  it('makes its rival lose before it is readable', async () => {
    const { server, client, stream, first } = await uncommitted();
    expect(await rejection(client.appendToStream(stream, noted(2), noStream))).toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 0n,
    });
    expect(await rejection(lengthOf(client, stream))).toMatchObject({ type: 'stream-not-found' });
    await server.commitNext();
    expect(await first).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(await lengthOf(client, stream)).toBe(1);
  });

  it('leaves a repeat unanswered until it times out', async () => {
    const { server, first, again } = await uncommitted();
    const refused = await rejection(again());
    expect(refused).toMatchObject({ code: 10 });
    expect(String(refused.message)).toContain('Operation timed out: Commit phase timeout.');
    await server.commitNext();
    expect(await again()).toEqual(await first);
  });

  it('shows a deleted stream only a moment after the append that revives it', async () => {
    const { server, client, stream, first } = await uncommitted();
    await server.commitNext();
    await first;
    await server.faults.set({ commitMs: 0 });
    await client.deleteStream(stream, { credentials: unary });
    await server.faults.set({ commitMs: NEVER_MS });
    const revived = client.appendToStream(stream, noted(2), noStream);
    await soon(async () => (await server.counters()).appendsReceived === 2);
    await server.commitNext();
    expect(await revived).toMatchObject({ nextExpectedRevision: 1n });
    expect(await rejection(lengthOf(client, stream))).toMatchObject({ type: 'stream-not-found' });
    await server.commitNext();
    expect(await lengthOf(client, stream)).toBe(1);
  });
});

describe('compressing', () => {
  /** Encoding of an answer and the flag of its message. */
  async function answerTo(port: number, acceptEncoding: string) {
    const session = connect(`http://127.0.0.1:${port}`);
    const call = session.request({
      ':method': 'POST',
      ':path': '/event_store.client.server_features.ServerFeatures/GetSupportedMethods',
      'content-type': 'application/grpc',
      'grpc-accept-encoding': acceptEncoding,
      te: 'trailers',
    });
    call.end(Buffer.alloc(5));
    const [headers] = (await once(call, 'response')) as [Record<string, string>];
    const [message] = (await once(call, 'data')) as [Buffer];
    session.destroy();
    return [headers['grpc-encoding'], message[0]];
  }

  it.each([
    ['26.0.3', 'identity,deflate,gzip', ['gzip', 1]],
    ['26.0.3', 'identity', ['identity', 0]],
    ['23.10.8', 'identity,deflate,gzip', ['identity', 0]],
  ])('of %s, for a client that offers %s: %j', async (like, offered, expected) => {
    const { server } = await started({ like });
    expect(await answerTo(server.port, offered)).toEqual(expected);
  });
});

it('answers RESOURCE_EXHAUSTED to an append that is too large for 26', async () => {
  const { client } = await started({ like: '26.0.3', maxAppendBytes: 10 });
  expect(await rejection(client.appendToStream(newStream(), noted(1), noStream))).toMatchObject({ code: 8 });
});

it('ends subscriptions without a status when it stops in order', async () => {
  const { server, client } = await started();
  const subscription = client.subscribeToAll({ fromPosition: 'end' });
  const failed = new Promise<Error>((resolve) => subscription.once('error', resolve));
  await once(subscription, 'caughtUp');
  await server.endCalls();
  expect(await failed).toMatchObject({ code: 13 });
  expect((await failed).message).toContain('Received RST_STREAM with code 0');
});

describe('an election', () => {
  const insisting = { ...noStream, requiresLeader: true };
  const cluster = async () => {
    const { server, client } = await started({ members: 3 });
    await server.faults.set({ electionMs: 100, noticeMs: 100 });
    const stream = newStream();
    await client.appendToStream(stream, noted(1), insisting);
    return { server, client, stream, before: await server.leaderPort() };
  };
  const after = async ({ server, stream, before }: Awaited<ReturnType<typeof cluster>>) => {
    const port = await server.leaderPort();
    expect(port).not.toBe(before);
    const client = clientFor(server);
    expect(await all(client.readStream(stream, { maxCount: 9 }), () => 1)).toEqual([1]);
    await client.appendToStream(newStream(), noted(1), insisting);
  };

  it('follows the crash of the leader', async () => {
    const scene = await cluster();
    const hanging = new Told(scene.client.subscribeToAll({ fromPosition: 'end' }));
    await hanging.until('caught up');
    await scene.server.killLeader();
    await hanging.until('error unavailable');
    await after(scene);
    await scene.server.comeBack();
    expect(await scene.server.leaderPort()).not.toBe(scene.before);
  });

  it('follows the silence of the leader, whose connections stay open', async () => {
    const scene = await cluster();
    await scene.server.freezeLeader();
    const given = { ...insisting, deadline: 50 };
    const silent = await rejection(scene.client.appendToStream(newStream(), noted(1), given));
    expect(silent).toMatchObject({ type: 'deadline-exceeded' });
    await after(scene);
    await scene.server.comeBack();
    // The old leader hears what was asked of it meanwhile, and sends elsewhere.
    expect(await rejection(scene.client.appendToStream(newStream(), noted(2), insisting))).toMatchObject({
      type: 'not-leader',
    });
  });

  it('refuses calls until it is over', async () => {
    const { server, client } = await started();
    await server.faults.set({ electionMs: NEVER_MS / 10_000 });
    await client.appendToStream(newStream(), noted(1), noStream);
    await server.elect();
    await soon(async () => {
      const error = await client.appendToStream(newStream(), noted(1), noStream).then(
        () => undefined,
        (refused: Error) => refused,
      );
      return error?.message.includes('Server Is Not Ready') ?? false;
    });
    await server.leaderPort();
    await client.appendToStream(newStream(), noted(1), noStream);
  });
});
