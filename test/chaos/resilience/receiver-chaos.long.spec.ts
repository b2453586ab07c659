import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { UndiciWebhookClient } from '../../../src/contexts/webhooks/client/undici-webhook-client.js';
import type { WebhookAnswer } from '../../../src/contexts/webhooks/client/webhook-client.port.js';
import { CertificateAuthority } from '../../kit/certificates.js';
import { BEHAVIOURS } from '../../kit/receiver-behaviours.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';

/** 10 s in production. Above any pause of a busy machine: only a receiver that never ends gets so far. */
const PATIENT_MS = 20_000;
/** The limit for receivers that never end. */
const LIMIT_MS = 1_000;
/** Above the limit of either, and below the time that a receiver goes on. */
const MUCH_LATER_MS = 60_000;
const READ_LIMIT = 64 * 1024;
const SIX_HOURS_MS = 21_600_000;
const NAME = 'hooks.example.com';

type Expected = Partial<WebhookAnswer>;
const taken: Expected = { responseStatus: 200 };
const status = (responseStatus: number, more: Expected = {}): Expected => ({
  failureCode: 'HTTP_STATUS',
  responseStatus,
  ...more,
});
const timeout: Expected = { failureCode: 'TIMEOUT' };
const broken: Expected = { failureCode: 'CONNECTION_FAILED' };
const untrusted: Expected = { failureCode: 'TLS_FAILED' };

/** The status decides: an error before it is a failure, an error after it is not. */
const EXPECTED: Record<string, Expected> = {
  ok: taken,
  created: { responseStatus: 201, responseBody: 'thanks' },
  'hang-after-request': timeout,
  'drip-headers': timeout,
  'drip-body': taken,
  'drip-error-body': status(500),
  'endless-body': taken,
  'endless-error-body': status(503),
  'gigabyte-body': taken,
  'short-body': taken,
  'long-body': taken,
  'early-close': broken,
  reset: broken,
  'reset-in-headers': broken,
  'close-in-headers': broken,
  'interim-flood': broken,
  'interim-drip': broken,
  'early-hints-flood': broken,
  'unasked-continue': broken,
  'no-content-with-body': { responseStatus: 204 },
  redirect: status(302),
  'redirect-elsewhere': status(307),
  unauthorized: status(401),
  gone: status(410),
  'throttled-absurd': status(429, { retryAfterMs: SIX_HOURS_MS }),
  'throttled-date': status(429, { retryAfterMs: SIX_HOURS_MS }),
  'throttled-past': status(429, { retryAfterMs: 0 }),
  'throttled-nonsense': status(503),
  'throttled-briefly': status(503, { retryAfterMs: 90_000 }),
  error: status(500, { responseBody: 'b r [1mk!' }),
  markup: status(500, { responseBody: '<img src=x onerror=alert(1)>' }),
  'huge-header': broken,
  'http-0.9': broken,
  garbage: broken,
  upgrade: broken,
  'bad-chunks': taken,
  'bad-status': broken,
  'two-lengths': broken,
  'gzip-bomb': taken,
};

/** Only the limit of the client ends these. */
const ENDLESS = new Set(['hang-after-request', 'drip-headers', 'drip-body', 'drip-error-body']);

const sockets: Socket[] = [];
const opened: { stop: () => Promise<unknown> }[] = [];
const authority = new CertificateAuthority();
let receiver: WebhookReceiver;

function newClient(options: { ca?: string; timeoutMs?: number } = {}): UndiciWebhookClient {
  const client = new UndiciWebhookClient({
    timeoutMs: PATIENT_MS,
    allowInsecure: true,
    resolve: async () => ['127.0.0.1'],
    onSocket: (socket) => sockets.push(socket),
    ...options,
  });
  opened.push({ stop: () => client.close() });
  return client;
}

async function receive(...tls: Parameters<typeof WebhookReceiver.start>): Promise<WebhookReceiver> {
  const started = await WebhookReceiver.start(...tls);
  opened.push({ stop: () => started.close() });
  return started;
}

/** Sends one delivery; resolves to its result and duration. */
async function deliver(client: UndiciWebhookClient, target: string) {
  const start = performance.now();
  const answer = await client.send({
    target,
    headers: { 'x-svc-event': 'job.created' },
    body: Buffer.from('{"a":1}'),
  });
  return { answer, tookMs: performance.now() - start };
}

function expectSameStory({ answer, tookMs }: Awaited<ReturnType<typeof deliver>>, expected: Expected): void {
  const { durationMs, responseBody, ...rest } = answer;
  const { responseBody: body, ...wanted } = expected;
  expect(rest).toEqual(wanted);
  if (body !== undefined) expect(responseBody).toBe(body);
  expect((responseBody ?? '').length).toBeLessThanOrEqual(1024);
  expect(tookMs).toBeLessThan(MUCH_LATER_MS);
  expect(durationMs).toBeLessThanOrEqual(Math.ceil(tookMs));
}

beforeAll(async () => {
  receiver = await receive();
});

afterAll(async () => {
  for (const { stop } of opened.reverse()) await stop();
  authority.remove();
});

describe('sending to a receiver that misbehaves', () => {
  it('has a case for every behaviour', () => {
    expect(Object.keys(BEHAVIOURS).sort()).toEqual(Object.keys(EXPECTED).sort());
    expect(Object.keys(EXPECTED).length).toBeGreaterThan(20);
  });

  it.each(Object.entries(EXPECTED))('ends in time when the receiver does %s', async (behaviour, expected) => {
    const client = newClient(ENDLESS.has(behaviour) ? { timeoutMs: LIMIT_MS } : {});
    const before = sockets.length;
    const asked = receiver.requests.length;
    expectSameStory(await deliver(client, `http://${NAME}:${receiver.port}/${behaviour}`), expected);
    await client.close();
    expect(receiver.requests.slice(asked).map(({ path }) => path)).toEqual([`/${behaviour}`]);
    const used = sockets.slice(before);
    expect(used).toHaveLength(1);
    for (const socket of used) {
      expect(socket.destroyed).toBe(true);
      expect(socket.bytesRead).toBeLessThanOrEqual(READ_LIMIT);
    }
  });

  it('sends the given host and the unchanged body', async () => {
    await deliver(newClient(), `http://${NAME}:${receiver.port}/ok?a=b`);
    const request = receiver.requests.at(-1)!;
    expect(request.path).toBe('/ok?a=b');
    expect(request.headers.host).toBe(`${NAME}:${receiver.port}`);
    expect(request.headers['x-svc-event']).toBe('job.created');
    expect(request.body.toString()).toBe('{"a":1}');
  });
});

describe('sending to an unreachable target', () => {
  async function listener(onConnection: (socket: Socket) => void): Promise<Server> {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.resume();
      onConnection(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    opened.push({ stop: () => new Promise((resolve) => server.close(resolve)) });
    return server;
  }
  const portOf = (server: Server) => (server.address() as AddressInfo).port;

  it('ends when the port is closed', async () => {
    expectSameStory(await deliver(newClient(), `http://${NAME}:1/`), broken);
  });

  it('ends when the target accepts and hangs', async () => {
    const server = await listener(() => undefined);
    const client = newClient({ timeoutMs: LIMIT_MS });
    for (const scheme of ['http', 'https'])
      expectSameStory(await deliver(client, `${scheme}://${NAME}:${portOf(server)}/`), timeout);
  });

  it('ends when the target hangs up during the TLS handshake or does not speak TLS', async () => {
    const server = await listener((socket) => socket.once('data', () => socket.destroy()));
    expectSameStory(await deliver(newClient(), `https://${NAME}:${portOf(server)}/`), untrusted);
    const plain = await listener((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 400 No\r\n\r\n')),
    );
    expectSameStory(await deliver(newClient(), `https://${NAME}:${portOf(plain)}/`), untrusted);
  });

  it('ends when DNS does not answer or does not know the name', async () => {
    const client = (resolve: () => Promise<string[]>) =>
      new UndiciWebhookClient({ timeoutMs: LIMIT_MS, allowInsecure: true, resolve });
    const silent = await deliver(
      client(() => new Promise(() => undefined)),
      `http://${NAME}/`,
    );
    expectSameStory(silent, { failureCode: 'DNS_FAILED' });
    const unknown = await deliver(
      client(() => Promise.reject(new Error('ENOTFOUND'))),
      `http://${NAME}/`,
    );
    expectSameStory(unknown, { failureCode: 'DNS_FAILED' });
  });
});

describe('sending over TLS', () => {
  const trusting = () => newClient({ ca: authority.ca });
  const deliverTo = async (tls: Parameters<typeof WebhookReceiver.start>[0], name = NAME) => {
    const server = await receive(tls);
    return { server, told: await deliver(trusting(), `https://${name}:${server.port}/ok`) };
  };

  it('trusts a valid certificate for the name', async () => {
    const { server, told } = await deliverTo(authority.issue(NAME));
    expectSameStory(told, taken);
    expect(server.requests).toHaveLength(1);
  });

  it.each([
    ['of another name', () => authority.issue('other.example.com')],
    ['that has expired', () => authority.issue(NAME, { expired: true })],
    ['that it signed itself', () => authority.selfSigned(NAME)],
    [
      'of an old version',
      () => ({ ...authority.issue(NAME), maxVersion: 'TLSv1.1', minVersion: 'TLSv1' }) as const,
    ],
    ['for HTTP/2 alone', () => ({ ...authority.issue(NAME), ALPNProtocols: ['h2'] })],
  ])('rejects a certificate %s', async (_, tls) => {
    const { server, told } = await deliverTo(tls());
    expectSameStory(told, untrusted);
    expect(server.requests).toEqual([]);
  });

  it('rejects an unknown authority', async () => {
    const server = await receive(authority.issue(NAME));
    expectSameStory(await deliver(newClient(), `https://${NAME}:${server.port}/ok`), untrusted);
  });
});

describe('keeping connections alive', () => {
  it('reuses a connection while its name resolves to the same address, and leaks none', async () => {
    const client = newClient();
    const before = sockets.length;
    for (let n = 0; n < 5; n++) await deliver(client, `http://${NAME}:${receiver.port}/ok`);
    // At most one more, because undici frees a socket one turn of the event loop after the response.
    expect(sockets.length - before).toBeLessThanOrEqual(2);
    await client.close();
    expect(sockets.slice(before).every((socket) => socket.destroyed)).toBe(true);
  });

  it('tries the next address when one does not answer', async () => {
    const resolve = async () => ['127.0.0.9', '127.0.0.1'];
    const client = new UndiciWebhookClient({ timeoutMs: PATIENT_MS, allowInsecure: true, resolve });
    expectSameStory(await deliver(client, `http://${NAME}:${receiver.port}/ok`), taken);
    await client.close();
  });

  it('ends requests in flight when it closes', async () => {
    const client = newClient({ timeoutMs: 60_000 });
    const pending = deliver(client, `http://${NAME}:${receiver.port}/hang-after-request`);
    const asked = receiver.requests.length;
    while (receiver.requests.length === asked) await new Promise((resolve) => setImmediate(resolve));
    await client.close();
    expect((await pending).answer.failureCode).toBe('TIMEOUT');
  });
});
