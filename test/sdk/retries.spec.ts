import { RemotePrinting, text, TimeoutError } from '../../sdk/src/index.js';
import { retryDelayMs } from '../../sdk/src/pauses.js';

const ok = (data: object = {}) => Response.json({ code: 'SVC_OK', message: 'ok', data });
const refused = (status: number, retryable: boolean, headers = {}) =>
  Response.json(
    { code: `CODE_${status}`, message: 'no', retryable, request_id: 'r', correlation_id: 'c' },
    { status, headers },
  );

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

const random = Math.random;
/** Repeats without a wait. */
beforeAll(() => {
  Math.random = () => 0;
});
afterAll(() => {
  Math.random = random;
});

describe('repeating calls', () => {
  it('repeats a list by POST', async () => {
    const { print, requests } = scripted(none, () => ok());
    await print.webhooks.list();
    expect(requests).toHaveLength(2);
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
    const call = print.jobs.get('a', {}, { signal: stop.signal });
    const ended = expect(call).rejects.toThrow('enough');
    stop.abort(new Error('enough'));
    await ended;
    expect(requests.length).toBeLessThanOrEqual(1);
  });
});

it('pauses while unchanged answers come back at once', async () => {
  const job = { job_id: 'a', status: 'queued', retry_state: 'none' };
  const { print, requests } = scripted(() => ok(job));
  const ended = print.jobs.waitForCompletion('a', { maxWaitMs: 50 });

  await expect(ended).rejects.toMatchObject({ name: 'WaitTimeoutError', job });
  expect(requests).toHaveLength(2);
});

it('names the time of the backup on each job of a request after a restore', async () => {
  const backup = '2026-11-22T12:00:00.000Z';
  const results = [1, 2].map(() => ({ status: 201, code: 'SVC_JOB_CREATED' }));
  const answer = () => {
    const { body } = ok({ results });
    return new Response(body, { headers: { 'service-restored-from': backup } });
  };
  const { print } = scripted(answer, () => ok({ results }));
  const job = { printer_id: 'p', content: text('x') };
  const given: unknown[] = [];
  for (let requests = 0; requests < 2; requests++)
    for await (const { restoredFrom } of print.jobs.createMany([job, job])) given.push(restoredFrom);
  expect(given).toEqual([backup, backup, undefined, undefined]);
});

describe('the credential', () => {
  it('appears in no client and in no refusal of it', async () => {
    const { inspect } = await import('node:util');
    const { print } = scripted(none);
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
    const none = Math.random;
    Math.random = () => 1;
    try {
      expect([1, 2, 3, 4, 9].map(retryDelayMs)).toEqual([1000, 2000, 4000, 8000, 8000]);
    } finally {
      Math.random = none;
    }
  });
});
