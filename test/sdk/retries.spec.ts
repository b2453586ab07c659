import { ApiError, ConnectionError, RemotePrinting, TimeoutError } from '../../sdk/src/index.js';
import { retryDelayMs } from '../../sdk/src/pauses.js';

const ok = (data: object = {}) => Response.json({ code: 'SVC_OK', message: 'ok', data });
const refused = (status: number, retryable: boolean, headers = {}) =>
  Response.json(
    { code: `CODE_${status}`, message: 'no', retryable, request_id: 'r', correlation_id: 'c' },
    { status, headers },
  );
const cut = () => new Response('{"code":"SVC_OK","da');
const page = (status: number) => new Response('<html>', { status });

/** Answers in turn, and the requests that took them; an error is no answer. */
function scripted(...answers: (() => Response | Error)[]) {
  const requests: Request[] = [];
  const send = async (url: string | URL | Request, init?: RequestInit) => {
    requests.push(new Request(url, init));
    const answer = (answers.length > 1 ? answers.shift()! : answers[0]!)();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const options = { apiKey: 'svc_live_secret', baseUrl: 'http://service.test', fetch: send as typeof fetch };
  return { requests, print: new RemotePrinting(options), options };
}

const none = () => new TypeError('fetch failed');
const read = (print: RemotePrinting) => print.jobs.get('a');
const keyed = (print: RemotePrinting) =>
  print.jobs.create({ printer_id: 'p', content: { type: 'text', encoding: 'utf8', data: 'x' } });
const listed = (print: RemotePrinting) => print.webhooks.list();
const other = (print: RemotePrinting) => print.webhooks.delete('w');

describe('repeating calls', () => {
  const random = Math.random;
  beforeAll(() => {
    Math.random = () => 0;
  });
  afterAll(() => {
    Math.random = random;
  });

  const safe = [
    ['a read', read],
    ['a create', keyed],
    ['a list by POST', listed],
  ] as const;

  describe.each<[string, () => Response | Error]>([
    ['no answer', none],
    ['a cut answer', cut],
    ['503 that may be repeated', () => refused(503, true)],
    ['408 of a proxy', () => page(408)],
    ['502 of a proxy', () => page(502)],
    ['503 of a proxy', () => page(503)],
    ['504 of a proxy', () => page(504)],
  ])('after %s', (_, failure) => {
    it.each(safe)('repeats %s', async (_name, call) => {
      const { print, requests } = scripted(failure, failure, () => ok());
      await call(print);
      expect(requests).toHaveLength(3);
    });

    it('does not repeat another write', async () => {
      const { print, requests } = scripted(failure);
      await expect(other(print)).rejects.toThrow();
      expect(requests).toHaveLength(1);
    });

    it('gives up after the allowed repeats', async () => {
      const { print, requests } = scripted(failure);
      await expect(read(print)).rejects.toMatchObject({ attempts: 4 });
      expect(requests).toHaveLength(4);
    });
  });

  it.each([...safe, ['another write', other] as const])('repeats %s after 429', async (_, call) => {
    const { print, requests } = scripted(
      () => refused(429, true),
      () => ok(),
    );
    await call(print);
    expect(requests).toHaveLength(2);
  });

  it.each([400, 401, 402, 403, 404, 409, 413, 415, 500])('never repeats after %d', async (status) => {
    const { print, requests } = scripted(() => refused(status, status === 500));
    await expect(read(print)).rejects.toMatchObject({ status, code: `CODE_${status}`, requestId: 'r' });
    expect(requests).toHaveLength(1);
  });

  it.each([429, 503])('never repeats after %d if the answer forbids it', async (status) => {
    const { print, requests } = scripted(() => refused(status, false));
    await expect(read(print)).rejects.toBeInstanceOf(ApiError);
    expect(requests).toHaveLength(1);
  });

  it('fails at once instead of waiting longer than a minute', async () => {
    const { print, requests } = scripted(() => refused(429, true, { 'retry-after': '61' }));
    await expect(read(print)).rejects.toMatchObject({ status: 429 });
    expect(requests).toHaveLength(1);
  });

  it('keeps the key of a create over its attempts, and names it in the error', async () => {
    const { print, requests } = scripted(none);
    const failure = await keyed(print).catch((error: unknown) => error as ConnectionError);
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));

    expect(new Set(keys).size).toBe(1);
    expect(failure).toMatchObject({ idempotencyKey: keys[0], attempts: 4 });
    await keyed(print).catch(() => undefined);
    expect(requests.at(-1)!.headers.get('idempotency-key')).not.toBe(keys[0]);
  });

  it('ends an attempt that takes too long', async () => {
    const { options } = scripted(() => ok());
    const silent = (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error)),
      );
    const print = new RemotePrinting({
      ...{ ...options, timeoutMs: 5, maxRetries: 1 },
      fetch: silent as typeof fetch,
    });

    await expect(read(print)).rejects.toBeInstanceOf(TimeoutError);
    await expect(read(print)).rejects.toMatchObject({ attempts: 2 });
  });

  it("fails with the caller's reason", async () => {
    const { print, requests } = scripted(() => refused(429, true, { 'retry-after': '50' }));
    const stop = new AbortController();
    const call = print.jobs.get('a', { signal: stop.signal });
    const ended = expect(call).rejects.toThrow('enough');
    stop.abort(new Error('enough'));
    await ended;
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  it('follows no redirect', async () => {
    const to = { location: 'http://other.test/' };
    const { print, requests } = scripted(() => new Response(null, { status: 302, headers: to }));
    await expect(read(print)).rejects.toBeInstanceOf(ConnectionError);
    expect(requests).toHaveLength(1);
    expect(requests[0]!.redirect).toBe('manual');
  });
});

it('pauses while unchanged answers come back at once', async () => {
  const job = { job_id: 'a', status: 'queued', retry_state: 'none' };
  const { print, requests } = scripted(() => ok(job));
  const ended = print.jobs.waitForCompletion('a', { maxWaitMs: 50 });

  await expect(ended).rejects.toMatchObject({ name: 'WaitTimeoutError', job });
  expect(requests).toHaveLength(2);
});

describe('the credential', () => {
  it('appears in no error', async () => {
    const { inspect } = await import('node:util');
    const { print } = scripted(none);
    for (const call of [read, keyed, other]) {
      const error = await call(print).catch((failure: unknown) => failure as Error);
      expect(inspect(error, { depth: 9, showHidden: true }) + (error as Error).stack).not.toContain('secret');
    }
    expect(inspect(print, { depth: 9, showHidden: true })).not.toContain('secret');
    expect(() => new RemotePrinting({ apiKey: 'svc_live\nsecret', baseUrl: 'http://a' })).toThrow(
      /^((?!secret).)*$/s,
    );
  });

  it('is refused in a page', () => {
    Object.assign(globalThis, { document: {} });
    try {
      expect(() => scripted(none)).toThrow('keys must stay on a backend');
    } finally {
      delete (globalThis as { document?: unknown }).document;
    }
  });
});

describe('the wait before a repeat', () => {
  it('grows to eight seconds', () => {
    const random = Math.random;
    Math.random = () => 1;
    try {
      expect([1, 2, 3, 4, 9].map(retryDelayMs)).toEqual([1000, 2000, 4000, 8000, 8000]);
    } finally {
      Math.random = random;
    }
  });
});
