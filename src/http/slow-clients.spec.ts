import { startDemo, type Demo } from '../../test/kit/http/demo-app.js';
import { dial, exchange, head } from '../../test/kit/http/raw.js';

const timeouts = { headers: 150, request: 300, idle: 200, check: 20 };

const upload = (length: number) =>
  head(
    'POST /v1/demo-things HTTP/1.1',
    'Host: a',
    'Authorization: Bearer full',
    'Idempotency-Key: order-4711',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  );

describe('waiting for slow clients', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo({ timeouts })));
  afterAll(() => demo.close());

  it('answers 408 for a head that does not end', async () => {
    const answer = await exchange(demo.port, 'GET /v1/demo-things HTTP/1.1\r\nHost: a\r\n');
    expect(answer).toMatchObject({ status: 408, answers: 1 });
    expect(answer.text).toContain('"code":"SVC_REQUEST_TIMEOUT"');
  });

  it('answers 408 for a body that does not end', async () => {
    const answer = await exchange(demo.port, upload(100) + '{"lines":');
    expect(answer).toMatchObject({ status: 408, answers: 1 });
  });

  it('answers 408 for a large body that falls behind its pace, and gives its space to the next', async () => {
    const uploads = {
      bytes: 2_500_000,
      bodiesOfOwner: 4,
      waitingOfOwner: 1,
      waiting: 1,
      pace: { bytes: 1_000, windowMs: 100 },
    };
    const few = await startDemo({ uploads });
    const slow = await dial(few.port);
    slow.socket.write(upload(1_000_000) + '{"lines":');
    await few.call('GET', '/v1/demo-things', { as: 'full' });
    const raw = `{"x":"${'x'.repeat(999_000)}"}`;
    const next = few.call('POST', '/v1/demo-things', {
      as: 'full',
      raw,
      headers: { 'idempotency-key': 'order-4711' },
    });

    const answer = await slow.next(() => false);
    expect(answer).toMatchObject({ status: 408, answers: 1 });
    expect(answer.text).toContain('"code":"SVC_REQUEST_TIMEOUT"');
    expect(await next).toMatchObject({ status: 400 });
    await few.close();
  });

  it('reserves no space for a large body until it flows', async () => {
    const uploads = {
      bytes: 2_500_000,
      bodiesOfOwner: 4,
      waitingOfOwner: 1,
      waiting: 1,
      pace: { bytes: 1, windowMs: 60_000 },
    };
    const few = await startDemo({ uploads, rateLimitFactor: 0 });
    const heads = await Promise.all(Array.from({ length: 5 }, () => dial(few.port)));
    for (const { socket } of heads) socket.write(upload(1_000_000));
    for (let n = 0; n < 5; n++) await few.call('GET', '/v1/demo-things', { as: 'full' });
    const raw = `{"x":"${'x'.repeat(999_000)}"}`;
    const headers = { 'idempotency-key': 'order-4711' };
    expect(await few.call('POST', '/v1/demo-things', { as: 'full', raw, headers })).toMatchObject({
      status: 400,
    });
    for (const { socket } of heads) socket.destroy();
    await few.close();
  });

  it('closes an idle connection after the idle timeout', async () => {
    expect(await exchange(demo.port, '')).toMatchObject({ answers: expect.any(Number) });
    const request = head('GET /v1/demo-things HTTP/1.1', 'Host: a', 'Authorization: Bearer full');
    expect(await exchange(demo.port, request)).toMatchObject({ status: 200, answers: 1 });
  });

  it('stops without waiting for unused connections', async () => {
    const stopped = await startDemo();
    const { next } = await dial(stopped.port);
    await stopped.call('GET', '/v1/demo-things', { as: 'full' });
    await stopped.close();
    expect(await next(() => false)).toMatchObject({ answers: 0 });
  });

  it('reads the rest of a refused upload until the same timeout', async () => {
    const { socket, next } = await dial(demo.port);
    socket.write(upload(1_000_000).replace('Bearer full', 'Bearer none'));
    expect(await next((text) => text.includes('}'))).toMatchObject({ status: 401 });
    expect(await next(() => false)).toMatchObject({ answers: 1 });
  });

  it.each([
    ['answers a request that arrived', 200],
    ['answers 408 for a request that did not arrive', 408],
  ])('%s while the process was frozen', async (_, status) => {
    const { socket, next } = await dial(demo.port);
    const request = head('GET /v1/demo-things HTTP/1.1', 'Host: a', 'Authorization: Bearer full');
    socket.write(request.slice(0, 20));
    await new Promise((resolve) => setTimeout(resolve, timeouts.check));
    // After an immediate the loop runs its timers before it reads from sockets, as after a freeze.
    await new Promise(setImmediate);
    if (status === 200) socket.write(request.slice(20));
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * timeouts.headers);

    expect(await next((text) => text.includes('}'))).toMatchObject({ status });
    socket.destroy();
  });

  it('frees everything when a client disconnects half-way', async () => {
    const { socket } = await dial(demo.port);
    socket.write(upload(1_000_000) + '{"lines":');
    socket.destroy();
    expect(await demo.call('GET', '/v1/demo-things', { as: 'full' })).toMatchObject({ status: 200 });
    expect(demo.log.filter((line) => line.includes('"level":50'))).toEqual([]);
  });
});

describe('limiting heads', () => {
  let demo: Demo;
  beforeAll(async () => void (demo = await startDemo()));
  afterAll(() => demo.close());

  const get = (...lines: string[]) =>
    exchange(
      demo.port,
      head(
        'GET /v1/demo-things HTTP/1.1',
        'Host: a',
        'Authorization: Bearer full',
        'Connection: close',
        ...lines,
      ),
    );

  it('accepts 100 headers and no more', async () => {
    const filler = Array.from({ length: 97 }, (_, i) => `X-${i}: a`);
    expect(await get(...filler)).toMatchObject({ status: 200 });
    expect(await get(...filler, 'X-More: a')).toMatchObject({ status: 400 });
  });

  it('answers 431 for more than 16 KiB of headers', async () => {
    const answer = await get(`X-Long: ${'a'.repeat(16_384)}`);
    expect(answer).toMatchObject({ status: 431, answers: 1 });
    expect(answer.text).toContain('"code":"SVC_HEADERS_TOO_LARGE"');
  });
});
