import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { dial, exchange, head } from '../../test/kit/http/raw.js';

const PRINTER = '019a8f3e-5b7c-7d21-9c44-0a1b2c3d4e5f';
const LIMIT = 16_777_216;
const MAX_CONTENT = 10_485_760;

const documentOf = (size: number) => Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(size - 5, 0xa7)]);
const bodyOf = (content: object) => JSON.stringify({ printer_id: PRINTER, content });
const pdf = (bytes: Buffer) => bodyOf({ type: 'pdf', encoding: 'base64', data: bytes.toString('base64') });
const text = (data: string) => bodyOf({ type: 'text', encoding: 'utf8', data });

const upload = (...lines: string[]) =>
  head(
    'POST /v1/demo-things HTTP/1.1',
    'Host: a',
    'Authorization: Bearer full',
    'Content-Type: application/json',
    'Idempotency-Key: order-4711',
    'Connection: close',
    ...lines,
  );

/** Sends the same body with its length and chunked. */
function chunked(body: string, size = 50_000): string {
  let out = '';
  for (let at = 0; at < body.length; at += size) {
    const part = body.slice(at, at + size);
    out += `${part.length.toString(16)}\r\n${part}\r\n`;
  }
  return `${upload('Transfer-Encoding: chunked')}${out}0\r\n\r\n`;
}

describe('reading large bodies', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo({ rateLimitFactor: 0 })));
  afterAll(() => demo.close());

  const create = (body: string) =>
    demo.call('POST', '/v1/demo-things', {
      as: 'full',
      raw: body,
      headers: { 'idempotency-key': 'order-4711' },
    });

  it.each([5, 40_000, 49_152, 100_000, MAX_CONTENT])(
    'reads a PDF of %i bytes byte for byte',
    async (size) => {
      const bytes = documentOf(size);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      expect(await create(pdf(bytes))).toMatchObject({
        status: 201,
        body: { data: { sha256, size, type: 'pdf' } },
      });
    },
  );

  it('reads a chunked body like one with a length', async () => {
    const bytes = documentOf(300_000);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const answer = await exchange(demo.port, chunked(pdf(bytes)));
    expect(answer.status).toBe(201);
    expect(answer.text).toContain(sha256);
  });

  it('counts text in bytes of UTF-8', async () => {
    const data = 'é'.repeat(100_000);
    expect(await create(text(data))).toMatchObject({ status: 201, body: { data: { size: 200_000 } } });
    expect(await create(text('x'.repeat(MAX_CONTENT)))).toMatchObject({ status: 201 });
  });

  it('answers 413 for one byte more than 10 MiB before other errors', async () => {
    const tooLarge = { status: 413, body: { code: 'SVC_CONTENT_TOO_LARGE', retryable: false } };
    expect(await create(pdf(documentOf(MAX_CONTENT + 1)))).toMatchObject(tooLarge);
    expect(await create(text('x'.repeat(MAX_CONTENT + 1)))).toMatchObject(tooLarge);
    expect(await create(text('é'.repeat(MAX_CONTENT / 2 + 1)))).toMatchObject(tooLarge);
    const data = documentOf(MAX_CONTENT + 1).toString('base64');
    expect(
      await create(JSON.stringify({ content: { type: 'raw', encoding: 'base64', data }, copies: 0 })),
    ).toMatchObject(tooLarge);
  });

  it('checks a large body like a small one', async () => {
    const data = documentOf(100_000).toString('base64');
    const content = (given: string) => bodyOf({ type: 'pdf', encoding: 'base64', data: given });
    const filler = 'x'.repeat(100_000);
    const cases: [string, RegExp][] = [
      [content(`${data.slice(0, -4)}****`), /strict Base64/],
      [content(`${data.slice(0, 50_000)}\\n${data.slice(50_000)}`).replace('\\\\n', '\\n'), /strict Base64/],
      [content(data).replace('"data"', '"data":"a","data"'), /twice/],
      [`{"title":"\\ud800","x":"${filler}"}`, /surrogate/],
      [`{"x":"${filler}"`, /valid JSON/],
      [`{"__proto__":"${filler}"}`, /__proto__/],
      [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, /32 levels/],
    ];
    for (const [body, rule] of cases) {
      const answer = await create(body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'SVC_VALIDATION_FAILED' } });
      expect(answer.body.message).toMatch(rule);
    }
    const invalid = Buffer.from(content(data));
    invalid[invalid.length - 10] = 0xff;
    const answer = await demo.call('POST', '/v1/demo-things', {
      as: 'full',
      raw: invalid,
      headers: { 'idempotency-key': 'order-4711' },
    });
    expect(answer.body.message).toMatch(/UTF-8/);
  });

  it('reads 16,777,216 bytes and answers 413 for one more before reading', async () => {
    const most = `{"x":"${'x'.repeat(LIMIT - 8)}"}`;
    expect(await create(most)).toMatchObject({ status: 400, body: { code: 'SVC_VALIDATION_FAILED' } });
    const { socket, next } = await dial(demo.port);
    socket.write(upload(`Content-Length: ${LIMIT + 1}`));
    expect((await next((answer) => answer.includes('}'))).text).toContain('SVC_PAYLOAD_TOO_LARGE');
    socket.destroy();
  });

  it('refuses an endless chunked body while it streams', async () => {
    const streamed = () =>
      new Promise<string>((resolve) => {
        const socket = connect(demo.port, '127.0.0.1');
        const chunk = Buffer.from(`10000\r\n${'x'.repeat(65_536)}\r\n`);
        let seen = '';
        let sent = 0;
        const send = () => {
          while (sent < 3 * LIMIT && socket.writable && socket.write(chunk)) sent += 65_536;
        };
        socket.on('data', (data) => (seen += data.toString('latin1')));
        socket.on('drain', send);
        socket.on('error', () => {});
        socket.on('close', () => resolve(seen));
        socket.write(upload('Transfer-Encoding: chunked'));
        send();
      });
    // The reset of a connection that is still sending may overtake the answer.
    let answer = '';
    for (let n = 0; n < 5 && answer === ''; n++) answer = await streamed();
    expect(answer).toContain('413 Payload Too Large');
    expect(answer).toContain('SVC_PAYLOAD_TOO_LARGE');
  });

  it('refuses more than 64 KiB without a document before reading them', async () => {
    const { socket, next } = await dial(demo.port);
    socket.write(upload('Content-Length: 65537').replace('demo-things', 'demo-lines'));
    expect((await next((answer) => answer.includes('}'))).text).toContain('at most 65536 bytes');
    socket.destroy();
    const raw = (size: number) => `{"x":"${'x'.repeat(size - 8)}"}`;
    const send = (size: number) => demo.call('POST', '/v1/demo-lines', { as: 'full', raw: raw(size) });
    expect(await send(65_536)).toMatchObject({ status: 400 });
    expect(await send(65_537)).toMatchObject({ status: 413, body: { code: 'SVC_PAYLOAD_TOO_LARGE' } });
  });

  it('refuses more than 64 KiB without a document while they stream', async () => {
    const lines = (size: number) =>
      chunked(`{"x":"${'x'.repeat(size)}"}`).replace('demo-things', 'demo-lines');
    expect(await exchange(demo.port, lines(60_000))).toMatchObject({ status: 400 });
    expect(await exchange(demo.port, lines(70_000))).toMatchObject({ status: 413 });
  });

  it('queues large bodies of an account beyond its share and refuses those beyond the queue', async () => {
    const large = text('x'.repeat(100_000));
    const uploads = {
      bytes: 2 * large.length,
      bodiesOfOwner: 4,
      waitingOfOwner: 1,
      waiting: 2,
      pace: { bytes: 1, windowMs: 60_000 },
    };
    const few = await startDemo({ uploads, rateLimitFactor: 0 });
    const lines = upload(`Content-Length: ${large.length}`).replace('Connection: close\r\n', '');
    const [first, second, third] = [await dial(few.port), await dial(few.port), await dial(few.port)];
    first.socket.write(lines + large.slice(0, 10));
    await few.call('GET', '/v1/demo-things', { as: 'full' });
    second.socket.write(lines + large);
    await few.call('GET', '/v1/demo-things', { as: 'full' });
    third.socket.write(lines + large);
    expect(await third.next((answer) => answer.includes('}'))).toMatchObject({ status: 503 });
    first.socket.write(large.slice(10));
    expect(await first.next((answer) => answer.includes('SVC_'))).toMatchObject({ status: 201 });
    expect(await second.next((answer) => answer.includes('SVC_'))).toMatchObject({ status: 201 });
    for (const { socket } of [first, second, third]) socket.destroy();
    await few.close();
  });
});
