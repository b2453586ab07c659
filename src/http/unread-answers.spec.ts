import { Controller, Module, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { connect } from 'node:net';
import { once, type EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import { integration } from '../api/integration/integration.surface.js';
import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { dial, exchange, head } from '../../test/kit/http/raw.js';
import { soon } from '../../test/kit/polling.js';
import { BareAnswer } from './answer.js';
import { Operation, type OperationSpec } from './operation.js';
import { onHangUp } from './request.js';

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

  @Operation(spec('followLate', 'GET /v1/followed-late', 'text/event-stream'))
  async followLate(@Req() request: FastifyRequest) {
    await new Promise<void>((left) => onHangUp(request, left));
    return new BareAnswer(200, new Readable().destroy());
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
    demo = await startDemo({ timeouts: { unread: 500, idle: 300, check: 20 } }, AnswersModule);
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

describe('a stream whose client leaves before it begins', () => {
  it('is logged without a failure', async () => {
    const demo = await startDemo({}, AnswersModule);
    const { socket } = await dial(demo.port);
    const asked = once(demo.app.getHttpServer(), 'request');
    socket.write(get('/v1/followed-late'));
    await asked;
    socket.destroy();
    await soon(() => demo.log.length > 0);
    expect(demo.log).toEqual([expect.stringMatching(/"level":30.*"status":200/)]);
    await demo.close();
  });
});

describe('a request whose client leaves before its answer', () => {
  it('is logged once, with the answer', async () => {
    const demo = await startDemo({}, AnswersModule);
    waiting.length = 0;
    const { socket } = await dial(demo.port);
    const asked = once(demo.app.getHttpServer(), 'request');
    socket.write(get('/v1/late'));
    const [, response] = (await asked) as [unknown, EventEmitter];
    await soon(() => waiting.length > 0);
    socket.resetAndDestroy();
    await once(response, 'close');
    waiting[0]!();
    await soon(() => demo.log.length > 0);
    await demo.close();
    expect(demo.log).toEqual([expect.stringMatching(/"level":30.*"status":200/)]);
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
