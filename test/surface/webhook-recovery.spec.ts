import { publicTypeOf } from '../../src/contexts/webhooks/index.js';
import { sceneForEach } from '../kit/job-scene.js';
import { failing, ManualReceiver, taken } from '../kit/manual-receiver.js';
import { serviceForAll } from '../kit/service.js';
import { openAccount } from '../kit/world.js';
import { DAY, HOUR, MINUTE, SECOND, verdict } from './asking.js';
import { eventually, WebhookClerk } from './webhook-asking.js';

const URL = 'https://shop.example.com/';
const TYPES = ['job.created', 'job.queued', 'job.cancelled'];
const LONG_AGO = '2000-01-01T00:00:00.000Z';

describe('recovering what a webhook missed', () => {
  const receiver = new ManualReceiver();
  const service = serviceForAll({ webhookClient: receiver });
  const scene = sceneForEach(service);
  let clerk: WebhookClerk;
  let webhookId: string;
  let jobs: string[];
  beforeEach(async () => {
    jobs = [];
    clerk = new WebhookClerk(service, scene.key);
    ({ webhookId } = await clerk.open(URL, { event_types: TYPES }));
  });

  const recover = (more: object = {}) =>
    clerk.ask('recover-webhook', { webhook_id: webhookId, since: LONG_AGO, ...more });
  const webhook = async () => (await clerk.list()).webhooks[0]!;
  const finished = () =>
    eventually(webhook, ({ recovery }) => recovery?.status === 'finished').then(({ recovery }) => recovery!);
  const unfinished = async () => {
    const { deliveries } = await clerk.list();
    return deliveries.filter(({ status }) => status === 'pending' || status === 'delivering');
  };
  const settled = () => eventually(unfinished, (waiting) => waiting.length === 0);
  /** Ids of the events that the webhook wants, in their order. */
  const eventsOf = async (jobId: string) => {
    const events = await service.stores.events.load(`job-${jobId}`);
    return events.filter((event) => TYPES.includes(publicTypeOf(event) ?? '')).map(({ id }) => id);
  };
  const history = async () => (await Promise.all(jobs.map(eventsOf))).flat();
  const cancelledJob = async () => {
    const jobId = await scene.create();
    await scene.cancel(jobId);
    jobs.push(jobId);
  };

  it('delivers every event once after eight dark days with a pause in between', async () => {
    receiver.behave(URL, failing);
    const began = service.clock.now();
    for (let day = 0; day < 8; day++) {
      if (day === 3) await clerk.update(webhookId, { status: 'paused' });
      if (day === 5) await clerk.update(webhookId, { status: 'active' });
      await cancelledJob();
      for (const delay of [30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, 17 * HOUR]) {
        await settled();
        await service.advance(delay);
      }
    }
    await settled();
    expect(await webhook()).toMatchObject({ status: 'active', health: 'failing', failing_since: began });
    const attempts = receiver.requests.length;
    receiver.behave(URL, taken);

    const counted = await recover({ dry_run: true });
    const events = await history();
    expect(verdict(counted)).toBe('200 SVC_RECOVERY_COUNTED');
    expect(counted.body.data).toEqual({ events: 24 });
    expect(events).toHaveLength(24);
    expect(receiver.requests).toHaveLength(attempts);

    const started = await recover();
    expect(verdict(started)).toBe('202 SVC_RECOVERY_STARTED');
    expect(started.body.data).toEqual({ recovery_id: expect.any(String), events: 24 });
    expect(await finished()).toMatchObject({
      ...{ recovery_id: started.body.data!.recovery_id, events: 24, recovered: 24 },
      ...{ since: LONG_AGO, until: service.clock.now(), started_at: service.clock.now() },
    });
    await settled();
    const shown = await service.operate('GET', `/accounts/${scene.accountId}/webhooks`);
    expect(shown.items).toMatchObject([{ webhook_id: webhookId, health: 'healthy' }]);
    const received = receiver.requests.slice(attempts).map(({ eventId }) => eventId);
    expect(received.sort()).toEqual(events.sort());
    expect((await recover({ dry_run: true })).body.data).toEqual({ events: 0 });
    expect((await recover({ dry_run: true, include_delivered: true })).body.data).toEqual({ events: 24 });
  });

  it('covers the given interval and types', async () => {
    await clerk.update(webhookId, { status: 'paused' });
    expect(await webhook()).toMatchObject({ status: 'paused', paused_at: service.clock.now() });
    await cancelledJob();
    await service.advance(DAY);
    const since = service.clock.now();
    await cancelledJob();
    await cancelledJob();
    const until = service.fromNow(-DAY);
    const counts = [{}, { since }, { until }, { event_types: ['job.created', 'job.failed'] }];
    const counted: unknown[] = [];
    for (const more of counts) counted.push((await recover({ dry_run: true, ...more })).body.data!.events);
    expect(counted).toEqual([9, 6, 3, 3]);
  });

  it('begins at the time of a cursor of the changes', async () => {
    await clerk.update(webhookId, { status: 'paused' });
    const follow = async (query: string) => {
      const { body } = await service.call('GET', `/svc-api-changes?${query}`, { as: scene.key });
      return body.data!.next_cursor as string;
    };
    const beginning = await follow('limit=1&event_types=job.failed');
    await cancelledJob();
    await service.advance(DAY);
    await cancelledJob();
    const countedSince = async (since: string) => (await recover({ dry_run: true, since })).body.data!.events;
    expect(await countedSince(await follow('after=now'))).toBe(3);
    expect(await countedSince(beginning)).toBe(6);
    const foreign = new WebhookClerk(service, (await openAccount(service)).key);
    const theirs = await foreign.open(URL, { event_types: TYPES });
    const asked = { webhook_id: theirs.webhookId, since: beginning };
    const refused = await foreign.ask('recover-webhook', asked);
    expect([verdict(refused), refused.body.message]).toEqual([
      '400 SVC_VALIDATION_FAILED',
      expect.stringMatching(/^since must be an RFC 3339 date-time .* or a cursor/),
    ]);
  });

  it('delivers what happened during a pause when the webhook becomes active with recover', async () => {
    await clerk.update(webhookId, { status: 'paused' });
    await service.advance(DAY);
    const before = receiver.requests.length;
    await cancelledJob();
    await service.advance(DAY);
    expect(verdict(await clerk.update(webhookId, { recover: true }))).toBe('400 SVC_VALIDATION_FAILED');
    const resumed = await clerk.update(webhookId, { status: 'active', recover: true });
    expect(resumed.body.data!.webhook).toMatchObject({ status: 'active', recovery: { recovered: 0 } });
    expect(await finished()).toMatchObject({ recovered: 3 });
    await settled();
    const received = receiver.requests.slice(before).map(({ eventId }) => eventId);
    expect(received.sort()).toEqual((await history()).sort());
  });

  it('is refused for a webhook that is paused, unknown or of another account', async () => {
    await clerk.update(webhookId, { status: 'paused' });
    expect(verdict(await recover())).toBe('409 SVC_WEBHOOK_PAUSED');
    const other = new WebhookClerk(service, (await openAccount(service)).key);
    const asked = { webhook_id: webhookId, since: LONG_AGO };
    expect(verdict(await other.ask('recover-webhook', asked))).toBe('404 SVC_WEBHOOK_NOT_FOUND');
  });

  it('runs once at a time for each webhook', async () => {
    // Without the worker nothing ends the first one.
    const { views } = service.stores;
    const find = views.find.bind(views);
    views.find = async (view, query) =>
      'recovery_status' in query.where ? { documents: [], positions: [] } : find(view, query);
    expect(verdict(await recover())).toBe('202 SVC_RECOVERY_STARTED');
    expect((await webhook()).recovery).toMatchObject({ status: 'running', recovered: 0, events: 0 });
    expect(verdict(await recover())).toBe('409 SVC_RECOVERY_RUNNING');
    expect(verdict(await recover({ dry_run: true }))).toBe('200 SVC_RECOVERY_COUNTED');
    views.find = find;
  });

  it.each([
    ['no start', { since: undefined }, /^since is required/],
    ['a start without a zone', { since: '2026-11-21T12:00:00' }, /^since must be an RFC 3339/],
    ['an end before the start', { until: '1999-01-01T00:00:00Z' }, /^since must not be later/],
    ['a start in the future', { since: '2100-01-01T00:00:00Z' }, /^since must not be later/],
    ['types of which the webhook wants none', { event_types: ['job.failed'] }, /^event_types must have/],
    ['tests', { event_types: ['webhook.test'] }, /^event_types must have/],
  ])('refuses %s', async (_, more, says) => {
    const refused = await recover(more);
    expect([verdict(refused), refused.body.message]).toEqual([
      '400 SVC_VALIDATION_FAILED',
      expect.stringMatching(says),
    ]);
  });
});
