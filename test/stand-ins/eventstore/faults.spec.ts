import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { soon } from '../../kit/polling.js';
import {
  all,
  clientOf,
  newStream,
  noted,
  rejection,
  serverScene,
  unary,
} from '../../kit/event-store-scene.js';
import { startEventStoreServer } from './eventstore-server.js';

const scene = serverScene();

const noStream = { expectedRevision: 'no_stream', credentials: unary } as const;
const lengthOf = async (stream: string) =>
  (await all(scene.client.readStream(stream, { maxCount: 9 }), () => 1)).length;

describe('faults of appends', () => {
  const options = noStream;

  it('lose the reply after the commit; a repeat of the ids gets the first answer', async () => {
    const stream = newStream();
    const event = noted(1);
    await scene.server.faults.set({ loseReplies: 1 });
    expect(await rejection(scene.client.appendToStream(stream, event, options))).toMatchObject({
      type: 'unavailable',
    });
    const again = await scene.client.appendToStream(stream, event, options);
    expect(again.nextExpectedRevision).toBe(0n);
    expect(await lengthOf(stream)).toBe(1);
  });

  it.each([
    ['busy', 'Server Is Too Busy'],
    ['notReady', 'Server Is Not Ready'],
  ] as const)('refuse while %s', async (fault, text) => {
    await scene.server.faults.set({ [fault]: true });
    const refused = await rejection(scene.client.appendToStream(newStream(), noted(1), options));
    expect(refused.type).toBe('unavailable');
    expect(String(refused.message)).toContain(text);
  });

  it('redirects a client that requires the leader', async () => {
    const options = { ...noStream, requiresLeader: true };
    const leader = await startEventStoreServer();
    await scene.server.faults.set({ notLeader: { host: '127.0.0.1', port: leader.port } });
    const stream = newStream();
    const refused = await rejection(scene.client.appendToStream(stream, noted(1), options));
    expect(refused).toMatchObject({
      type: 'not-leader',
      leader: { address: '127.0.0.1', port: leader.port },
    });
    await scene.client.appendToStream(stream, noted(1), options);
    expect((await leader.counters()).appendsReceived).toBe(1);
    await scene.client.dispose();
    await leader.stop();
  });

  it('answers without a known leader', async () => {
    await scene.server.faults.set({ notLeader: null });
    const refused = await rejection(scene.client.appendToStream(newStream(), noted(1), options));
    expect(refused).toMatchObject({ type: 'unknown' });
    expect(String(refused.message)).toContain('No leader info available');
  });
});

describe('hanging', () => {
  it('holds an append until the client gives up, and writes nothing', async () => {
    const stream = newStream();
    await scene.server.faults.set({ hangAppends: true });
    const given = scene.client.appendToStream(stream, noted(1), { ...noStream, deadline: 100 });
    expect(await rejection(given)).toMatchObject({ type: 'deadline-exceeded' });
    await soon(async () => (await scene.server.counters()).hanging === 0);
    await scene.server.faults.clear();
    expect(await rejection(lengthOf(stream))).toMatchObject({ type: 'stream-not-found' });
  });

  it('continues calls when it is over', async () => {
    const stream = newStream();
    await scene.server.faults.set({ hangAppends: true });
    const appended = scene.client.appendToStream(stream, noted(1), noStream);
    await soon(async () => (await scene.server.counters()).hanging === 1);
    await scene.server.faults.clear();
    expect(await appended).toMatchObject({ success: true });
  });

  it('holds reads', async () => {
    await scene.server.faults.set({ hangReads: true });
    const read = all(scene.client.readAll({ maxCount: 1 }), () => 1);
    await soon(async () => (await scene.server.counters()).hanging === 1);
    expect((await scene.server.counters()).openReads).toBe(1);
    await scene.server.faults.clear();
    expect(await read).toEqual([1]);
  });

  it('commits without answering', async () => {
    const stream = newStream();
    await scene.server.faults.set({ loseReplies: 1, loseRepliesBy: 'silence' });
    const given = scene.client.appendToStream(stream, noted(1), { ...noStream, deadline: 100 });
    expect(await rejection(given)).toMatchObject({ type: 'deadline-exceeded' });
    expect(await lengthOf(stream)).toBe(1);
  });
});

describe('starting', () => {
  it('limits concurrent calls on a connection', async () => {
    const server = await startEventStoreServer({ maxConcurrentStreams: 2 });
    const client = clientOf(server.url);
    await all(client.readAll({ maxCount: 1 }), () => 1); // The client learns the limit when it connects.
    await server.faults.set({ hangReads: true });
    const reads = [1, 2, 3].map(() => all(client.readAll({ maxCount: 1 }), () => 1));
    await soon(async () => (await server.counters()).hanging === 2);
    expect((await server.counters()).readsReceived).toBe(3);
    await server.faults.clear();
    expect(await Promise.all(reads)).toEqual([[1], [1], [1]]);
    expect((await server.counters()).readsReceived).toBe(4);
    await server.stop();
  });

  it('starts empty and with another limit on request', async () => {
    const server = await startEventStoreServer({ systemEvents: false, maxAppendBytes: 10 });
    const client = clientOf(server.url);
    expect(await all(client.readAll({ maxCount: 1 }), () => 1)).toEqual([]);
    const refused = await rejection(client.appendToStream(newStream(), noted(1), noStream));
    expect(refused).toMatchObject({ type: 'maximum-append-size-exceeded', maxAppendSize: 10 });
    await server.stop();
  });
});

describe('a server that goes away', () => {
  it('comes back on the same port with its data', async () => {
    const stream = newStream();
    await scene.client.appendToStream(stream, noted(1), noStream);
    await scene.server.goDown();
    expect(await rejection(lengthOf(stream))).toMatchObject({ type: 'unavailable' });
    await scene.server.comeBack();
    expect(await lengthOf(stream)).toBe(1);
  });

  it('remembers ids beyond a restart only at an expected revision', async () => {
    const [strong, weak] = [newStream(), newStream()];
    const event = noted(1);
    const appendBoth = async () => [
      (await scene.client.appendToStream(strong, event, noStream)).nextExpectedRevision,
      (await scene.client.appendToStream(weak, event, { credentials: unary })).nextExpectedRevision,
    ];
    expect(await appendBoth()).toEqual([0n, 0n]);
    await scene.server.goDown();
    await rejection(lengthOf(weak));
    await scene.server.comeBack();
    expect(await appendBoth()).toEqual([0n, 1n]);
  });

  it('serves the next append after a restart', async () => {
    await scene.client.appendToStream(newStream(), noted(1), noStream);
    await scene.server.restart();
    const lost = scene.client.appendToStream(newStream(), noted(1), noStream);
    await lost.catch(() => undefined);
    await scene.client.appendToStream(newStream(), noted(2), noStream);
  });

  it('answers nothing while it is frozen', async () => {
    await scene.client.appendToStream(newStream(), noted(1), noStream);
    scene.server.freeze();
    const given = scene.client.appendToStream(newStream(), noted(1), { ...noStream, deadline: 100 });
    expect(await rejection(given)).toMatchObject({ type: 'deadline-exceeded' });
    scene.server.thaw();
    await scene.client.appendToStream(newStream(), noted(2), noStream);
  });

  it('ends with the process that started it', async () => {
    const module = new URL('../../../dist/test/stand-ins/eventstore/eventstore-server.js', import.meta.url)
      .href;
    const program = `const { startEventStoreServer } = await import('${module}');
      console.log((await startEventStoreServer()).url); process.exit();`;
    // The server has the same standard output, and this resolves when all have closed it.
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program]);
    const client = clientOf(stdout.trim());
    expect(await rejection(all(client.readAll({ maxCount: 1 }), () => 1))).toMatchObject({
      type: 'unavailable',
    });
  });
});

describe('altering a stored record', () => {
  it('shows other bytes of the same length to every reader', async () => {
    const stream = newStream();
    await scene.client.appendToStream(stream, noted(1), noStream);
    await scene.server.alter(stream, 0, '"n":1', '"n":7');
    const [data] = await all(scene.client.readStream(stream, { maxCount: 9 }), ({ event }) => event?.data);
    expect(data).toEqual({ n: 7 });
    await expect(scene.server.alter(stream, 0, '"n":1', '"n":8')).rejects.toThrow('has no');
    await expect(scene.server.alter(stream, 0, '"n":7', '"n":70')).rejects.toThrow('has no');
  });
});
