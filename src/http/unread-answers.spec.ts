import { Controller, Module } from '@nestjs/common';
import { connect } from 'node:net';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { integration } from '../api/integration/integration.surface.js';
import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { dial, exchange, head } from '../../test/kit/http/raw.js';
import { BareAnswer } from './answer.js';
import { Operation, type OperationSpec } from './operation.js';

const MEBIBYTE = Buffer.alloc(1_048_576);
const opened: Readable[] = [];
const waiting: (() => void)[] = [];

const spec = (id: string, route: OperationSpec['route'], media?: string): OperationSpec => ({
  id,
  surface: integration,
  route,
  summary: 'An answer',
  auth: 'none',
  success: { status: 200, description: 'The answer.', ...(media && { media }) },
});

@Controller()
class Answers {
  @Operation(spec('sendMuch', 'GET /v1/much', 'application/octet-stream'))
  much() {
    const stream = Readable.from(Array.from({ length: 24 }, () => MEBIBYTE));
    opened.push(stream);
    return new BareAnswer(200, stream);
  }

  @Operation(spec('sendLate', 'GET /v1/late'))
  async late() {
    await new Promise<void>((resolve) => waiting.push(resolve));
    return {};
  }

  @Operation(spec('follow', 'GET /v1/followed', 'text/event-stream'))
  follow() {
    return new BareAnswer(200, new Readable({ read: () => undefined }));
  }
}

@Module({ controllers: [Answers] })
class AnswersModule {}

const get = (path: string, ...lines: string[]) => head(`GET ${path} HTTP/1.1`, 'Host: a', ...lines);

describe('an answer that its client does not read', () => {
  let demo: Demo;
  beforeEach(async () => {
    opened.length = 0;
    demo = await startDemo({ timeouts: { unread: 100, idle: 300, check: 20 } }, AnswersModule);
  });
  afterEach(() => demo.close());

  it('is ended, and its source with it', async () => {
    const socket = connect(demo.port, '127.0.0.1').pause();
    socket.write(get('/v1/much'));
    await once(socket, 'readable');
    const [stream] = opened;
    if (!stream!.closed) await once(stream!, 'close');
    expect(stream!.readableEnded).toBe(false);
    socket.destroy();
  });

  it('is sent to the end while its client reads', async () => {
    const { text, status } = await exchange(demo.port, get('/v1/much', 'Connection: close'));
    expect(status).toBe(200);
    expect(text.length).toBeGreaterThan(24 * MEBIBYTE.length);
  });

  it('does not end an answer that is only late', async () => {
    const { socket, next } = await dial(demo.port);
    socket.write(get('/v1/late'));
    const unread = connect(demo.port, '127.0.0.1').pause();
    unread.write(get('/v1/much'));
    await once(unread, 'readable');
    await once(opened[0]!, 'close');
    waiting[0]!();
    expect(await next((text) => text.includes('}'))).toMatchObject({ status: 200 });
    // The idle timeout of the connection still ends it.
    expect(await next(() => false)).toMatchObject({ answers: 1 });
    unread.destroy();
  });
});

describe('HEAD', () => {
  it('is refused where the answer would never end', async () => {
    const demo = await startDemo({}, AnswersModule);
    const asked = await demo.call('HEAD', '/v1/followed');
    expect([asked.status, asked.headers.get('allow')]).toEqual([405, 'GET']);
    const posted = await demo.call('POST', '/v1/followed', { json: {} });
    expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET']);
    expect((await demo.call('HEAD', '/v1/much')).status).toBe(200);
    await demo.close();
  });
});
