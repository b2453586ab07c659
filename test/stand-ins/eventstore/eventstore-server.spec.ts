import { randomUUID } from 'node:crypto';
import { connect } from 'node:http2';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { soon } from '../../kit/polling.js';
import {
  all,
  bytesOf,
  clientOf,
  newStream,
  noted,
  rejection,
  serverScene,
  unary,
} from '../../kit/event-store-scene.js';

const { AppendReq } = streams;
const scene = serverScene();

const revisionsIn = (stream: string, options: object = {}) =>
  all(scene.client.readStream(stream, { maxCount: 100, ...options }), ({ event }) => Number(event?.revision));

describe('appending', () => {
  const credentials = unary;
  const append = (
    stream: string,
    events: ReturnType<typeof noted>[],
    expectedRevision: bigint | 'no_stream',
  ) => scene.client.appendToStream(stream, events, { expectedRevision, credentials });

  it('answers with the revision and the position of the last event', async () => {
    const stream = newStream();
    const answer = await append(stream, [noted(1), noted(2)], 'no_stream');
    const stored = await all(scene.client.readStream(stream, { maxCount: 9 }), ({ event }) => event);
    expect(answer).toMatchObject({ success: true, nextExpectedRevision: 1n });
    expect(answer.position).toEqual(stored[1]?.position);
    expect(answer.position!.commit).toBe(answer.position!.prepare);
  });

  it('keeps id, type, data, metadata and the time', async () => {
    const stream = newStream();
    const id = randomUUID();
    const before = Date.now();
    await append(stream, [noted(7, id)], 'no_stream');
    const [event] = await all(scene.client.readStream(stream, { maxCount: 9 }), ({ event }) => event);
    expect(event).toMatchObject({
      id,
      type: 'Noted',
      data: { n: 7 },
      metadata: { actor: 'test' },
      isJson: true,
    });
    expect(event?.created.getTime()).toBeGreaterThanOrEqual(before);
  });

  it('keeps bytes that are not JSON', async () => {
    const stream = newStream();
    await scene.client.appendToStream(stream, bytesOf(3), { expectedRevision: 'no_stream', credentials });
    const [event] = await all(scene.client.readStream(stream, { maxCount: 9 }), ({ event }) => event);
    expect(event?.isJson).toBe(false);
    expect([...(event?.data as Uint8Array)]).toEqual([0, 0, 0]);
  });

  it('answers a conflict with the current revision', async () => {
    const stream = newStream();
    await append(stream, [noted(1), noted(2)], 'no_stream');
    expect(await rejection(append(stream, [noted(3)], 'no_stream'))).toMatchObject({
      type: 'wrong-expected-version',
      streamName: stream,
      expectedVersion: 'no_stream',
      actualVersion: 1n,
    });
    expect(await rejection(append(stream, [noted(3)], 5n))).toMatchObject({
      expectedVersion: 5n,
      actualVersion: 1n,
    });
    expect(await rejection(append(newStream(), [noted(3)], 0n))).toMatchObject({
      actualVersion: 'no_stream',
    });
  });

  /** What a client has sent of an append to a new stream: its options and its first event. */
  function beginningOf(stream: string): Buffer {
    const name = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
    const options = new AppendReq.Options().setStreamIdentifier(name).setNoStream(new shared.Empty());
    const event = new AppendReq.ProposedMessage()
      .setId(new shared.UUID().setString(randomUUID()))
      .setData(Buffer.from('{}'));
    event.getMetadataMap().set('type', 'Noted').set('content-type', 'application/json');
    const messages = [new AppendReq().setOptions(options), new AppendReq().setProposedMessage(event)];
    const frames = messages.map((message) => {
      const body = message.serializeBinary();
      const head = Buffer.alloc(5);
      head.writeUInt32BE(body.length, 1);
      return Buffer.concat([head, body]);
    });
    return Buffer.concat(frames);
  }

  it('writes nothing of an append whose client dies before its last event', async () => {
    const stream = newStream();
    const session = connect(`http://127.0.0.1:${scene.server.port}`);
    const call = session.request({
      ':method': 'POST',
      ':path': '/event_store.client.streams.Streams/Append',
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const { appendsReceived } = await scene.server.counters();
    call.on('error', () => undefined);
    call.write(beginningOf(stream));
    await soon(async () => (await scene.server.counters()).appendsReceived > appendsReceived);
    session.destroy();
    await append(newStream(), [noted(1)], 'no_stream'); // Behind it in the same log.
    expect(await revisionsIn(stream).catch((error: { type: string }) => error.type)).toBe('stream-not-found');
  });

  it('writes nothing for a repeat of the ids at the same revision, however old', async () => {
    const stream = newStream();
    const [one, two] = [noted(1), noted(2)];
    const first = await append(stream, [one, two], 'no_stream');
    await append(stream, [noted(3)], 1n);
    expect(await append(stream, [one, two], 'no_stream')).toEqual(first);
    expect(await revisionsIn(stream)).toEqual([0, 1, 2]);
  });

  it('recognises recent ids at any expected revision', async () => {
    const stream = newStream();
    const event = noted(1);
    const first = await scene.client.appendToStream(stream, event, { credentials });
    expect(await scene.client.appendToStream(stream, event, { credentials })).toEqual(first);
    const exists = { expectedRevision: 'stream_exists', credentials } as const;
    expect(await scene.client.appendToStream(stream, event, exists)).toEqual(first);
    expect(await rejection(scene.client.appendToStream(newStream(), noted(1), exists))).toMatchObject({
      expectedVersion: 'stream_exists',
      actualVersion: 'no_stream',
    });
  });

  it('compares ids and never bodies', async () => {
    const stream = newStream();
    const first = await append(stream, [noted(1, '6f4ff8f3-94c2-4e12-8c95-6b6a7bd40001')], 'no_stream');
    expect(await append(stream, [noted(99, '6f4ff8f3-94c2-4e12-8c95-6b6a7bd40001')], 'no_stream')).toEqual(
      first,
    );
  });

  it('answers a conflict if only a part was written before', async () => {
    const stream = newStream();
    const [one, two, other] = [noted(1), noted(2), noted(3)];
    await append(stream, [one, two], 'no_stream');
    expect(await rejection(append(stream, [one, other], 'no_stream'))).toMatchObject({ actualVersion: 1n });
    expect(await rejection(append(stream, [one, two, other], 'no_stream'))).toMatchObject({
      actualVersion: 1n,
    });
  });

  it('accepts at most one MiB', async () => {
    const tooMuch = [bytesOf(600_000), bytesOf(600_000)];
    const options = { expectedRevision: 'no_stream', credentials } as const;
    expect(await rejection(scene.client.appendToStream(newStream(), tooMuch, options))).toMatchObject({
      type: 'maximum-append-size-exceeded',
      maxAppendSize: 1024 * 1024,
    });
    await scene.client.appendToStream(newStream(), bytesOf(1_000_000), options);
  });

  it('restarts a soft-deleted stream at its next revision', async () => {
    const stream = newStream();
    await append(stream, [noted(1), noted(2)], 'no_stream');
    await scene.client.deleteStream(stream);
    expect(await rejection(revisionsIn(stream))).toMatchObject({ type: 'stream-not-found' });
    expect(await append(stream, [noted(3)], 'no_stream')).toMatchObject({ nextExpectedRevision: 2n });
    expect(await revisionsIn(stream)).toEqual([2]);
  });

  it('is refused for ever by a tombstone', async () => {
    const stream = newStream();
    await append(stream, [noted(1)], 'no_stream');
    await scene.client.tombstoneStream(stream, { expectedRevision: 0n });
    expect(await rejection(append(stream, [noted(2)], 'no_stream'))).toMatchObject({
      type: 'stream-deleted',
    });
    expect(await rejection(revisionsIn(stream))).toMatchObject({
      type: 'stream-deleted',
      streamName: stream,
    });
  });
});

describe('deleting', () => {
  it('is refused at another revision', async () => {
    const stream = newStream();
    await scene.client.appendToStream(stream, noted(1), { credentials: unary });
    expect(await rejection(scene.client.deleteStream(stream, { expectedRevision: 4n }))).toMatchObject({
      type: 'wrong-expected-version',
      actualVersion: 0n,
    });
  });
});

describe('reading a stream', () => {
  const written = async (count: number) => {
    const stream = newStream();
    const events = Array.from({ length: count }, (_, n) => noted(n));
    await scene.client.appendToStream(stream, events, { expectedRevision: 'no_stream', credentials: unary });
    return stream;
  };

  it('begins at a revision and ends after a number of events', async () => {
    const stream = await written(5);
    expect(await revisionsIn(stream)).toEqual([0, 1, 2, 3, 4]);
    expect(await revisionsIn(stream, { fromRevision: 2n, maxCount: 2 })).toEqual([2, 3]);
    expect(await revisionsIn(stream, { fromRevision: 9n })).toEqual([]);
  });

  it('reads backwards', async () => {
    const stream = await written(4);
    const backwards = { direction: 'backwards' };
    expect(await revisionsIn(stream, { ...backwards, fromRevision: 'end' })).toEqual([3, 2, 1, 0]);
    expect(await revisionsIn(stream, { ...backwards, fromRevision: 2n, maxCount: 2 })).toEqual([2, 1]);
  });

  it('does not find a stream that was never written', async () => {
    const stream = newStream();
    expect(await rejection(revisionsIn(stream))).toMatchObject({
      type: 'stream-not-found',
      streamName: stream,
    });
  });

  it.each([
    ['truncateBefore', { truncateBefore: 3 }, [3, 4]],
    ['maxCount', { maxCount: 1 }, [4]],
    ['maxAge', { maxAge: 1_000 }, [0, 1, 2, 3, 4]],
  ])('hides what %s hides, and keeps the name in use', async (_what, metadata, left) => {
    const stream = await written(5);
    await scene.client.setStreamMetadata(stream, metadata, { credentials: unary });
    expect(await revisionsIn(stream)).toEqual(left);
    const again = scene.client.appendToStream(stream, noted(9), {
      expectedRevision: 'no_stream',
      credentials: unary,
    });
    expect(await rejection(again)).toMatchObject({ actualVersion: 4n });
  });
});

describe('reading all', () => {
  it('begins with the event at a position, and backwards with the one before it', async () => {
    const stream = newStream();
    const positions = [];
    for (const n of [0, 1, 2]) {
      const options = {
        expectedRevision: n === 0 ? 'no_stream' : BigInt(n - 1),
        credentials: unary,
      } as const;
      positions.push((await scene.client.appendToStream(stream, noted(n), options)).position!);
    }
    const read = (options: object) =>
      all(scene.client.readAll({ maxCount: 2, ...options }), ({ event }) => event?.position);
    expect(await read({ fromPosition: positions[1] })).toEqual([positions[1], positions[2]]);
    expect(await read({ fromPosition: positions[2], direction: 'backwards' })).toEqual([
      positions[1],
      positions[0],
    ]);
    expect(await read({ fromPosition: 'end', direction: 'backwards' })).toEqual([positions[2], positions[1]]);
  });

  it('returns system events first', async () => {
    const [type] = await all(scene.client.readAll({ maxCount: 1 }), ({ event }) => event?.type);
    expect(type).toBe('$metadata');
  });

  it('writes only as fast as the client reads, and forgets a cancelled call', async () => {
    const stream = newStream();
    await scene.server.injectAll(
      Array.from({ length: 2_000 }, () => ({ stream, type: 'Filled', data: Buffer.alloc(2_000) })),
    );
    const reading = scene.client.readAll({ maxCount: 100_000 });
    for await (const _first of reading) break;
    expect(await scene.server.counters()).toMatchObject({ openReads: 1 });
    await reading.cancel();
    await soon(async () => (await scene.server.counters()).openReads === 0);
  });
});

describe('discovering', () => {
  it('returns the one member', async () => {
    const { port } = scene.server;
    const client = clientOf(`esdb+discover://127.0.0.1:${port}?tls=false`);
    await client.appendToStream(newStream(), noted(1), { credentials: unary });
    await client.dispose();
    expect((await scene.server.counters()).gossipCalls).toBe(1);
  });
});
