import { TestPartner } from '../kit/partner.js';
import { serviceForAll } from '../kit/service.js';
import { openAccount, TestAgent } from '../kit/world.js';
import { idOf, itemsOf, verdict } from './asking.js';

interface Result {
  readonly status: number;
  readonly code: string;
  readonly message?: string;
  readonly data?: { readonly job_id: string; readonly title?: string };
}

const outcome = ({ status, code }: Result) => `${status} ${code}`;
const CREATED = '201 SVC_JOB_CREATED';
const REPLAYED = '200 SVC_JOB_IDEMPOTENT_REPLAY';

describe('creating many jobs in one request', () => {
  const service = serviceForAll();
  let accountId: string;
  let key: string;
  let agent: TestAgent;
  let printerId: string;
  beforeEach(async () => {
    ({ accountId, key } = await openAccount(service));
    ({ agent, printerId } = await TestAgent.ready(service, accountId));
  });

  const label = (n: number, more: object = {}) => ({
    idempotency_key: `label-${n}`.padEnd(8, '-'),
    printer_id: printerId,
    content: { type: 'text', encoding: 'utf8', data: `Label ${n}` },
    title: `Label ${n}`,
    ...more,
  });
  const labels = (count: number) => Array.from({ length: count }, (_, n) => label(n));
  const send = (jobs: readonly unknown[]) =>
    service.call('POST', '/svc-api-print-jobs/batch', { as: key, json: { jobs } });
  const resultsOf = async (jobs: readonly unknown[]) => {
    const answered = await send(jobs);
    expect(verdict(answered)).toBe('200 SVC_JOBS_SUBMITTED');
    return answered.body.data!.results as Result[];
  };
  const createAlone = ({ idempotency_key, ...json }: Record<string, unknown>) =>
    service.call('POST', '/svc-api-print-jobs', {
      as: key,
      headers: { 'idempotency-key': String(idempotency_key) },
      json,
    });
  const list = async () => service.call('GET', '/svc-api-print-jobs?limit=100', { as: key });
  const total = async () => (await list()).body.data!.total;

  it('refuses a large list that nests too deep, and reads the next large body', async () => {
    const padded = (jobs: string) => `{"jobs":${jobs},"padding":"${'x'.repeat(70_000)}"}`;
    const sendText = (raw: string) => service.call('POST', '/svc-api-print-jobs/batch', { as: key, raw });
    const deep = `[{"a":${'['.repeat(8_000)}${']'.repeat(8_000)}}]`;
    for (const list of [deep, '[]'])
      expect(verdict(await sendText(padded(list)))).toBe('400 SVC_VALIDATION_FAILED');
  });

  it('creates 100 labels, which print in the order of the list', async () => {
    const results = await resultsOf(labels(100));
    expect(new Set(results.map(outcome))).toEqual(new Set([CREATED]));
    expect(results.map(({ data }) => data!.title)).toEqual(labels(100).map(({ title }) => title));
    expect(await total()).toBe(100);
    const newestFirst = itemsOf(await list()).map(({ title }) => title);
    expect(newestFirst.reverse()).toEqual(labels(100).map(({ title }) => title));
    const leases = await agent.lease(4);
    expect(leases.map(({ job_id }) => job_id)).toEqual(results.slice(0, 4).map(({ data }) => data!.job_id));
  });

  it('keeps the order whatever the size of a document', async () => {
    const sizes = [3, 40_000, 10, 90_000, 200, 33_000, 5];
    const jobs = sizes.map((size, n) =>
      label(n, { content: { type: 'text', encoding: 'utf8', data: 'x'.repeat(size) } }),
    );
    const results = await resultsOf(jobs);
    const leases = await agent.lease(4);
    expect(leases.map(({ job_id }) => job_id)).toEqual(results.slice(0, 4).map(({ data }) => data!.job_id));
  });

  it('answers a repeated request with the jobs it made', async () => {
    const first = await resultsOf(labels(20));
    const again = await resultsOf(labels(20));
    expect(new Set(again.map(outcome))).toEqual(new Set([REPLAYED]));
    expect(again.map(({ data }) => data!.job_id)).toEqual(first.map(({ data }) => data!.job_id));
    expect(await total()).toBe(20);
  });

  it('makes each job once when requests, single creates and batches, race for its key', async () => {
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => resultsOf(labels(10))),
      resultsOf(labels(10).reverse()),
    ]);
    expect(verdict(await createAlone(label(3)))).toBe(REPLAYED);
    const results = answers.flat();
    for (const result of results) expect([CREATED, REPLAYED]).toContain(outcome(result));
    // One that another request completed meanwhile is a replay to both.
    const created = results.filter((result) => outcome(result) === CREATED).map(({ data }) => data!.job_id);
    expect(new Set(created).size).toBe(created.length);
    expect(new Set(results.map(({ data }) => data!.job_id)).size).toBe(10);
    expect(await total()).toBe(10);
  });

  it('makes a job once whose key stands twice in the list, and refuses the key for another one', async () => {
    const results = await resultsOf([label(1), label(1), label(1, { copies: 2 })]);
    expect(results.map(outcome)).toEqual([CREATED, REPLAYED, '409 SVC_JOB_IDEMPOTENCY_CONFLICT']);
    expect(await total()).toBe(1);
  });

  it('refuses a job without a key, or that is no object, and takes the others', async () => {
    const results = await resultsOf([label(0, { idempotency_key: undefined }), null, [], 'job', label(1)]);
    expect(results.map(({ status }) => status)).toEqual([400, 400, 400, 400, 201]);
    expect(results[0]!.message).toMatch(/^idempotency_key is required/);
  });

  it.each([
    ['plain', 'x'],
    ['large', 'x'.repeat(100_000)],
  ])('refuses only the job whose JSON breaks a rule, in a %s body', async (_, data) => {
    const good = JSON.stringify(label(0, { content: { type: 'text', encoding: 'utf8', data } }));
    const bad = [
      JSON.stringify(label(1)).replace('"title":"Label 1"', '"title":"\\ud800"'),
      JSON.stringify(label(2)).replace('"title"', '"copies":1,"copies":2,"title"'),
      JSON.stringify(label(3)).replace('"title"', '"copies":9007199254740993,"title"'),
    ];
    const post = (path: string, raw: string, headers = {}) =>
      service.call('POST', path, { as: key, headers, raw });
    const jobs = [good, ...bad, JSON.stringify(label(4))];
    const answered = await post('/svc-api-print-jobs/batch', `{"jobs":[${jobs.join(',')}]}`);
    expect(verdict(answered)).toBe('200 SVC_JOBS_SUBMITTED');
    const results = answered.body.data!.results as Result[];
    const singles = bad.map((job) => job.replace(/"idempotency_key":"[^"]*",/, ''));
    for (const [n, single] of singles.entries()) {
      const { status, body } = await post('/svc-api-print-jobs', single, {
        'idempotency-key': `single-${n}`,
      });
      expect(results[n + 1]).toEqual({ status, code: body.code, message: body.message });
    }
    expect(results.map(outcome)).toEqual([CREATED, ...bad.map(() => '400 SVC_VALIDATION_FAILED'), CREATED]);
    expect(results[1]!.message).toMatch(/surrogate.* \(in title\)/);
    expect(await total()).toBe(2);
  });

  it.each<[string, unknown]>([
    ['no jobs', []],
    ['101 jobs', Array.from({ length: 101 }, () => ({}))],
    ['no list', {}],
  ])('refuses %s with 400', async (_, jobs) => {
    const answered = await service.call('POST', '/svc-api-print-jobs/batch', { as: key, json: { jobs } });
    expect(answered.status).toBe(400);
    expect(answered.body.message).toBe('jobs must be a list of 1 to 100 objects.');
    expect(await total()).toBe(0);
  });

  it('keeps keys of a partner and of the account apart', async () => {
    const partner = await TestPartner.open(service);
    const owned = await partner.account();
    const { printerId: theirs } = await TestAgent.ready(service, owned);
    const jobs = [label(0, { printer_id: theirs }), label(1, { printer_id: theirs }), label(2)];
    const json = { jobs };
    const answered = await partner.call('POST', `/accounts/${owned}/jobs/batch`, { json });
    expect(verdict(answered)).toBe('200 JOBS_SUBMITTED');
    const results = answered.body.data!.results as Result[];
    expect(results.map(outcome)).toEqual(['201 JOB_CREATED', '201 JOB_CREATED', '404 PRINTER_NOT_FOUND']);
    const { idempotency_key: _, ...body } = label(0, { printer_id: theirs });
    const single = await partner.call('POST', `/accounts/${owned}/jobs`, {
      headers: { 'idempotency-key': 'label-0-' },
      json: body,
    });
    expect([verdict(single), idOf(single)]).toEqual(['200 JOB_IDEMPOTENT_REPLAY', results[0]!.data!.job_id]);
  });
});
