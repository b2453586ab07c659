import { randomUUID } from 'node:crypto';
import type { Answered } from '../kit/http/client.js';
import { JobScene } from '../kit/job-scene.js';
import { ManualReceiver } from '../kit/manual-receiver.js';
import { TestPartner } from '../kit/partner.js';
import { eventually } from '../kit/polling.js';
import { serviceForAll } from '../kit/service.js';
import { ALL_SCOPES, TestAgent, type Leased } from '../kit/world.js';
import { DAY, HOUR, itemsOf, MINUTE, SECOND, verdict } from './asking.js';
import { WebhookClerk } from './webhook-asking.js';

const LONG_AGO = '2000-01-01T00:00:00.000Z';
const ENDS = ['completed', 'cancelled', 'expired', 'failed'] as const;

describe('an archived job', () => {
  const service = serviceForAll({ env: { ARCHIVE_AFTER_DAYS: '31' }, webhookClient: new ManualReceiver() });
  let scene: JobScene;
  let partner: TestPartner;
  let clerk: WebhookClerk;
  let webhookId: string;
  let old: Record<(typeof ENDS)[number], string>;
  let done: Leased;
  let young: string;
  let whenQueued: string;
  let before: Awaited<ReturnType<typeof told>>;
  let documentsBefore: readonly string[];

  const ask = (path: string, headers: Record<string, string> = {}) =>
    service.call('GET', path, { as: scene.key, headers });
  const operate = (path: string) => service.call('GET', `/operator${path}`, { as: service.operatorToken });
  const typesOf = async (jobId: string) =>
    (await service.stores.events.load(`job-${jobId}`)).map(({ type }) => type);

  /** All that is answered about a job by its id. */
  async function toldOf(jobId: string) {
    const path = `/svc-api-print-jobs/${jobId}`;
    const again = { as: scene.key, headers: { 'idempotency-key': randomUUID() }, json: {} };
    const detail = await ask(path);
    const answers: Record<string, Answered> = {
      detail,
      unchanged: await ask(path, { 'if-none-match': detail.headers.get('etag')! }),
      atTheEnd: await ask(`${path}?at=${service.fromNow(-MINUTE)}`),
      whenQueued: await ask(`${path}?at=${whenQueued}`),
      explanation: await ask(`${path}/explanation`),
      partner: await partner.call('GET', `/accounts/${scene.accountId}/jobs/${jobId}`),
      operator: await operate(`/jobs/${jobId}`),
      cancel: await scene.cancel(jobId),
      retry: await scene.retry(jobId),
      reprint: await service.call('POST', `${path}/reprint`, again),
    };
    const parts = ({ status, headers, body }: Answered) =>
      JSON.stringify([status, headers.get('etag'), body.code, body.message, body.data]);
    return Object.fromEntries(Object.entries(answers).map(([name, answered]) => [name, parts(answered)]));
  }

  /** Calls of an Agent bring its computer online. */
  const documents = async () => {
    const contents = Object.values(old).map((jobId) => scene.agent.call('GET', `/jobs/${jobId}/content`));
    return (await Promise.all(contents)).map(verdict);
  };

  async function changes(): Promise<readonly unknown[]> {
    const { body } = await ask('/svc-api-changes?limit=1000');
    expect(body.data!.has_more).toBe(false);
    return itemsOf({ body } as Answered);
  }

  async function told() {
    const recovery = { webhook_id: webhookId, since: LONG_AGO, dry_run: true, include_delivered: true };
    return {
      jobs: await Promise.all(Object.values(old).map(toldOf)),
      missed: (await clerk.ask('recover-webhook', recovery)).body.data,
      changes: await changes(),
    };
  }

  async function end(): Promise<void> {
    await scene.create({ title: 'Order 1', external_id: 'order-1' });
    whenQueued = service.clock.now();
    await service.advance(SECOND);
    done = await scene.lease('completed');
    const rejected = await scene.at('leased');
    await scene.agent.report(rejected, 'rejected', { failure_class: 'permanent' });
    const cancelled = await scene.create();
    await scene.cancel(cancelled);
    const expired = await scene.create({ expires_at: service.fromNow(HOUR) });
    await service.advance(HOUR);
    old = { completed: done.job_id, cancelled, expired, failed: rejected.job_id };
  }

  beforeAll(async () => {
    partner = await TestPartner.open(service);
    const accountId = await partner.account();
    const key = await service.operate('POST', `/accounts/${accountId}/keys`, { scopes: ALL_SCOPES });
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    scene = new JobScene(service, accountId, String(key.api_key), agent, printerId);
    clerk = new WebhookClerk(service, scene.key);
    const types = { event_types: ['job.created', 'job.cancelled'] };
    ({ webhookId } = await clerk.open('https://shop.example.com/', types));
    await end();
    for (let day = 0; day < 20; day++) await service.advance(DAY);
    young = await scene.create({ external_id: 'order-2' });
    for (let day = 20; day < 30; day++) await service.advance(DAY);
    documentsBefore = await documents();
    await service.advance(HOUR);
    await service.stores.events.waitUntilProjected();
    before = await told();
    await service.advance(2 * DAY);
    await eventually('the old jobs to be archived', async () => {
      await service.advance(10 * MINUTE);
      const types = await Promise.all(Object.values(old).map(typesOf));
      return types.every((of) => of.includes('JobArchived')) || undefined;
    });
    await service.stores.events.waitUntilProjected();
  }, 600_000);

  it('was answered with its history by every surface before', () => {
    const statuses = { completed: 'spooler_completed', cancelled: '', expired: '', failed: '' };
    before.jobs.forEach(({ detail, unchanged, partner: partners, operator, cancel }, n) => {
      expect(detail).toContain(`"status":"${statuses[ENDS[n]!] || ENDS[n]}"`);
      expect(detail).toContain('"history":[{');
      expect([unchanged, partners, operator].map((answer) => answer!.slice(1, 4))).toEqual([
        '304',
        '200',
        '200',
      ]);
      expect(cancel).toContain('"SVC_JOB_STATE_CONFLICT"');
    });
    expect(before.missed).toEqual({ events: 6 });
    expect(before.changes.length).toBeGreaterThan(15);
  });

  it('is answered by its id as before, on every surface', async () => {
    expect(await told()).toEqual(before);
  });

  it('has no document for its Agent, as before', async () => {
    expect(documentsBefore).toEqual(ENDS.map(() => '404 CONTENT_NOT_FOUND'));
    expect(await documents()).toEqual(documentsBefore);
  });

  it('is in no list and no count', async () => {
    const listed = (await ask('/svc-api-print-jobs')).body.data!;
    expect([
      listed.total,
      itemsOf({ body: { data: listed } } as Answered).map(({ job_id }) => job_id),
    ]).toEqual([1, [young]]);
    expect((await ask('/svc-api-print-jobs?external_id=order-1')).body.data).toMatchObject({
      total: 0,
      items: [],
    });
    const ofPartner = await partner.list(`/accounts/${scene.accountId}/jobs`);
    expect(ofPartner.map(({ job_id }) => job_id)).toEqual([young]);
    expect((await operate(`/jobs?account_id=${scene.accountId}`)).body.data).toMatchObject({ total: 1 });
  });

  it('is left out by a rebuild, too, and the views equal a replay', async () => {
    const verified = async () =>
      itemsOf({ body: { data: await service.operate('POST', '/views/verify') } } as Answered);
    for (const view of await verified()) expect(view).toMatchObject({ equal: true });
    await service.operate('POST', '/views/job-view/rebuild');
    expect((await ask('/svc-api-print-jobs')).body.data).toMatchObject({ total: 1 });
    for (const view of await verified()) expect(view).toMatchObject({ equal: true });
    expect((await toldOf(old.completed)).detail).toBe(before.jobs[0]!.detail);
  });

  it('is proved with all its events, the last one included', async () => {
    await service.operate('POST', '/evidence/publish');
    const { status, text } = await service.call('GET', `/evidence/jobs/${old.completed}`, { as: scene.key });
    const types = await typesOf(old.completed);
    expect([status, text.match(/^entry /gm)]).toMatchObject([200, types.map(() => 'entry ')]);
    expect(types.slice(-2)).toEqual(['ContentPurged', 'JobArchived']);
  });

  it('keeps a late result in its history, and stays out of the lists', async () => {
    expect(await scene.agent.report(done, 'spooler_failed')).toMatchObject({ result: 'late' });
    const { history } = await scene.job(old.completed);
    expect(history.at(-1)).toMatchObject({ event_type: 'job.late_result_recorded' });
    expect((await ask('/svc-api-print-jobs')).body.data).toMatchObject({ total: 1 });
  });

  it('is of no other account, and an unknown job is no archived one', async () => {
    const other = await JobScene.open(service);
    const path = `/svc-api-print-jobs/${old.completed}`;
    expect(verdict(await service.call('GET', path, { as: other.key }))).toBe('404 SVC_JOB_NOT_FOUND');
    expect(verdict(await ask(`/svc-api-print-jobs/${randomUUID()}`))).toBe('404 SVC_JOB_NOT_FOUND');
  });

  it('stays readable for operators when its account is closed', async () => {
    await service.operate('POST', `/accounts/${scene.accountId}/close`);
    const shown = await operate(`/jobs/${old.cancelled}`);
    expect(shown.body.data).toMatchObject({ status: 'cancelled', account: { status: 'closed' } });
    expect(await typesOf(old.cancelled)).toEqual(expect.arrayContaining(['JobCancelled', 'JobArchived']));
  });
});
