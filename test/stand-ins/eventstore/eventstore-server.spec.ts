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

  it('keeps bytes that are not JSON', async () => {
    const stream = newStream();
    await scene.client.appendToStream(stream, bytesOf(3), { expectedRevision: 'no_stream', credentials });
    const [event] = await all(scene.client.readStream(stream, { maxCount: 9 }), ({ event }) => event);
    expect(event?.isJson).toBe(false);
    expect([...(event?.data as Uint8Array)]).toEqual([0, 0, 0]);
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
});

describe('reading a stream', () => {
  const written = async (count: number) => {
    const stream = newStream();
    const events = Array.from({ length: count }, (_, n) => noted(n));
    await scene.client.appendToStream(stream, events, { expectedRevision: 'no_stream', credentials: unary });
    return stream;
  };

  it.each([
    ['truncateBefore', { truncateBefore: 3 }, [3, 4]],
    ['maxCount', { maxCount: 1 }, [4]],
    ['maxAge', { maxAge: 1_000 }, [0, 1, 2, 3, 4]],
  ])('hides what %s hides, and the name stays taken', async (_what, metadata, left) => {
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
  it('finds events of the system first', async () => {
    const [type] = await all(scene.client.readAll({ maxCount: 1 }), ({ event }) => event?.type);
    expect(type).toBe('$metadata');
  });

  it('writes no faster than the client reads, and forgets the call when it is cancelled', async () => {
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
