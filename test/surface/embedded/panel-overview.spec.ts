import { JOB_STATUSES } from '../../../src/contexts/jobs/index.js';
import { plus } from '../../../src/kernel/time.js';
import { JobScene, sceneForEach } from '../../kit/job-scene.js';
import { joined, operatorBrowser, type Browser } from '../../kit/panel.js';
import { serviceForEach } from '../../kit/service.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';
import { onePrinter, openAccount, TestAgent } from '../../kit/world.js';
import { DAY, HOUR, MINUTE, SECOND, verdict } from '../asking.js';
import { eventually, INSECURE, WebhookClerk } from '../webhook-asking.js';

interface Shown {
  readonly counts: Readonly<Record<string, number>>;
  readonly waiting: readonly object[];
  readonly printers_offline: readonly object[];
  readonly printers_behind: readonly object[];
  readonly ending_credentials: readonly object[];
  readonly month: object;
  readonly first_steps: object;
  readonly attention: readonly { readonly kind: string }[];
}

const none = Object.fromEntries(JOB_STATUSES.map((status) => [status, 0]));

const service = serviceForEach({ env: INSECURE });

/** The overview, computed anew. */
async function overview(browser: Browser): Promise<Shown> {
  service.clock.advance(5 * SECOND);
  return (await browser.get('/panel/overview')).body.data as unknown as Shown;
}

describe('the overview', () => {
  it('shows the first steps of an empty account', async () => {
    const account = await service.operate('POST', '/accounts', { name: 'Empty' });
    const { browser } = await joined(service, String(account.account_id), 'bea', 'viewer');
    expect(await overview(browser)).toEqual({
      counts: none,
      waiting: [],
      printers_offline: [],
      printers_behind: [],
      ending_credentials: [],
      stuck_printers: [],
      month: { used: 0, limit: null },
      first_steps: { computer: false, job: false, key: false },
      attention: [],
    });
  });

  it('counts jobs by status, by waiting printer, and in the month', async () => {
    const scene = await JobScene.open(service, { slug: 'acme', jobs_per_month: 10 });
    const { browser } = await joined(service, scene.accountId, 'bea', 'viewer');
    await scene.at('completed');
    await scene.create();
    await scene.create();
    expect(await overview(browser)).toMatchObject({
      counts: { ...none, spooler_completed: 1, queued: 2 },
      waiting: [{ printer_id: scene.printerId, count: 2, since: expect.any(String) }],
      month: { used: 3, limit: 10 },
      first_steps: { computer: true, job: true, key: true },
      attention: [],
    });
  });

  it('counts queued jobs of a printer as waiting, and not a leased one', async () => {
    const scene = await JobScene.open(service, { slug: 'acme' });
    const { browser } = await joined(service, scene.accountId, 'bea', 'viewer');
    await scene.at('leased');
    await scene.create();
    expect(await overview(browser)).toMatchObject({ waiting: [{ count: 1 }] });
    await scene.agent.accept((await scene.lease())!);
    expect(await overview(browser)).toMatchObject({ waiting: [] });
  });

  it('is computed at most every five seconds', async () => {
    const scene = await JobScene.open(service, { slug: 'acme' });
    const { browser } = await joined(service, scene.accountId, 'bea', 'viewer');
    const first = await overview(browser);
    await scene.create();
    expect((await browser.get('/panel/overview')).body.data).toEqual(first);
    expect((await overview(browser)).counts).toMatchObject({ queued: 1 });
  });
});

describe('the overview lists problems that need a person:', () => {
  const scene = sceneForEach(service, { slug: 'acme', jobs_per_month: 10 });
  let browser: Browser;
  beforeEach(async () => {
    ({ browser } = await joined(service, scene.accountId, 'bea', 'viewer'));
  });

  it('jobs in review, since the first of them was put there, whichever was created first', async () => {
    const created = await scene.at('spooled');
    await scene.parked();
    const since = service.clock.now();
    service.clock.advance(MINUTE);
    await scene.agent.report(created, 'spooler_vanished');
    const link = '#/jobs?status=manual_review';
    expect((await overview(browser)).attention).toEqual([{ kind: 'jobs_in_review', count: 2, since, link }]);
  });

  it('offline printers for which jobs wait', async () => {
    await scene.create();
    await service.advance(2 * MINUTE);
    const { attention } = await overview(browser);
    expect(attention).toMatchObject([
      { kind: 'printer_offline_with_jobs', count: 1, link: `#/devices/printers/${scene.printerId}` },
    ]);
  });

  it('offline printers whose computer has a job, although none waits', async () => {
    await scene.at('spooled');
    await scene.agent.inventory([{ ...onePrinter, online: false }]);
    const { attention, waiting, printers_offline } = await overview(browser);
    expect(waiting).toEqual([]);
    expect(printers_offline).toMatchObject([{ printer_id: scene.printerId }]);
    expect(attention).toMatchObject([
      { kind: 'printer_offline_with_jobs', count: 1, link: `#/devices/printers/${scene.printerId}` },
    ]);
  });

  it('printers that are online but whose oldest job has waited for more than five minutes', async () => {
    const since = service.clock.now();
    await scene.create();
    await scene.stayOnline(5 * MINUTE - 5 * SECOND);
    expect((await overview(browser)).attention).toEqual([]);
    await scene.agent.heartbeat();
    expect((await overview(browser)).attention).toEqual([
      { kind: 'printer_backlog', count: 1, since, link: `#/devices/printers/${scene.printerId}` },
    ]);
  });

  it('printers that are held up by a job in the spooler for more than five minutes, and by which', async () => {
    const { job_id } = await scene.at('spooled', { title: 'Invoice 88-B' });
    const since = service.clock.now();
    await scene.stayOnline(5 * MINUTE - 5 * SECOND);
    await scene.create();
    expect((await overview(browser)).attention).toEqual([]);
    const job = { job_id, title: 'Invoice 88-B', status: 'sent_to_spooler', since };
    const { attention, printers_behind, waiting } = await overview(browser);
    expect(printers_behind).toEqual([
      { printer_id: scene.printerId, printer_name: onePrinter.name, computer_name: 'FRONT-DESK', job },
    ]);
    expect(attention).toMatchObject([
      { kind: 'printer_backlog', count: 1, since, link: `#/devices/printers/${scene.printerId}` },
    ]);
    expect(waiting).toMatchObject([{ count: 1 }]);
    const queue = await browser.get(`/panel/printers/${scene.printerId}/queue`);
    expect(queue.body.data).toMatchObject({ held_up_by: job, waiting: 1, at_agent: 1 });
  });

  it('several printers that are behind, with a link to the list of them', async () => {
    const { agent, printerId } = await TestAgent.ready(service, scene.accountId, [onePrinter]);
    await scene.create({ printer_id: printerId });
    service.clock.advance(SECOND);
    await scene.at('spooled');
    for (let n = 0; n < 6; n++) {
      await scene.stayOnline(MINUTE);
      await agent.heartbeat();
    }
    const { attention, printers_behind } = await overview(browser);
    expect(attention).toMatchObject([
      { kind: 'printer_backlog', count: 2, link: '#/devices?only=printer_backlog' },
    ]);
    expect(printers_behind).toMatchObject([{ printer_id: printerId }, { printer_id: scene.printerId }]);
  });

  it('no printer whose job waits anew, until that has taken five minutes', async () => {
    const { job_id } = await scene.parked();
    await service.advance(HOUR);
    await scene.agent.heartbeat();
    await scene.retry(job_id);
    const since = service.clock.now();
    const { attention, waiting } = await overview(browser);
    expect(attention).toEqual([]);
    expect(waiting).toEqual([{ printer_id: scene.printerId, count: 1, since }]);
    await scene.stayOnline(5 * MINUTE);
    expect((await overview(browser)).attention).toMatchObject([{ kind: 'printer_backlog', since }]);
  });

  it('a printer whose Agent gives back the oldest jobs again and again, while others wait', async () => {
    const since = service.clock.now();
    for (let n = 0; n < 5; n++) await scene.create();
    await scene.stayOnline(5 * MINUTE);
    for (const lease of await scene.agent.lease(4)) await scene.agent.release(lease);
    expect((await overview(browser)).attention).toMatchObject([{ kind: 'printer_backlog', since }]);
  });

  it('no printer that has just come online, although jobs have waited for it', async () => {
    await scene.create();
    await service.advance(HOUR);
    await scene.agent.heartbeat();
    expect((await overview(browser)).attention).toEqual([]);
    await scene.stayOnline(5 * MINUTE);
    expect((await overview(browser)).attention).toMatchObject([{ kind: 'printer_backlog' }]);
  });

  const pause = async () => {
    const dev = await joined(service, scene.accountId, 'dev', 'developer');
    const path = `/panel/printers/${scene.printerId}`;
    expect((await dev.browser.call('PATCH', path, { paused: true })).status).toBe(200);
  };

  it('no printer that is paused, which waits on purpose', async () => {
    await scene.create();
    await pause();
    await scene.stayOnline(6 * MINUTE);
    expect((await overview(browser)).attention).toEqual([]);
  });

  it('a printer that is paused, if its spooler holds a job all the same', async () => {
    await scene.at('spooled');
    await pause();
    await scene.stayOnline(5 * MINUTE);
    expect((await overview(browser)).attention).toMatchObject([{ kind: 'printer_backlog' }]);
  });

  it('a plan used to 90 %, and one that is used up', async () => {
    for (let n = 0; n < 8; n++) await scene.create();
    expect((await overview(browser)).attention).toEqual([]);
    await scene.create();
    expect((await overview(browser)).attention).toMatchObject([{ kind: 'plan_nearly_used', count: 9 }]);
    await scene.create();
    expect((await overview(browser)).attention).toMatchObject([{ kind: 'plan_used_up', count: 10 }]);
  });

  it('keys that expire within 14 days', async () => {
    const expires_at = service.fromNow(15 * DAY);
    await service.operate('POST', `/accounts/${scene.accountId}/keys`, { scopes: ['jobs:read'], expires_at });
    const since = service.fromNow(DAY);
    expect((await overview(browser)).attention).toEqual([]);
    service.clock.advance(2 * DAY);
    const { browser: later } = await joined(service, scene.accountId, 'vic', 'viewer');
    expect((await overview(later)).attention).toEqual([
      { kind: 'key_expires_soon', count: 1, since, link: '#/keys' },
    ]);
  });

  it('device credentials that end within 14 days or have ended, unless the computer is revoked', async () => {
    const { computerId } = scene.agent;
    const expiring = async (name: string) =>
      overview((await joined(service, scene.accountId, name, 'viewer')).browser);
    const credential_expires_at = service.fromNow(180 * DAY);
    service.clock.advance(165 * DAY);
    expect(await expiring('vic')).toMatchObject({ ending_credentials: [], attention: [] });
    expect(await service.operate('GET', '/service')).toMatchObject({ credentials_ending: 0 });
    const since = plus(credential_expires_at, -14 * DAY);
    service.clock.advance(DAY);
    const attention = [{ kind: 'device_credential_ends', count: 1, since, link: '#/devices' }];
    const ending_credentials = [{ computer_id: computerId, credential_expires_at }];
    expect(await expiring('vim')).toMatchObject({ ending_credentials, attention });
    expect(await service.operate('GET', '/service')).toMatchObject({ credentials_ending: 1 });
    service.clock.advance(15 * DAY);
    expect(await expiring('val')).toMatchObject({ ending_credentials, attention });
    expect(await service.operate('GET', '/service')).toMatchObject({ credentials_ending: 0 });
    await service.operate('POST', `/computers/${computerId}/revoke`);
    expect(await expiring('vio')).toMatchObject({ ending_credentials: [], attention: [] });
  });

  it('printers whose spooler makes no progress, while their computer is online', async () => {
    const since = service.clock.now();
    const { printer_key } = onePrinter;
    const health = {
      ...{ free_bytes: 1e9, low_space: false, unsent_reports: 0, oldest_report_seconds: 0 },
      stuck_printers: [
        { printer_key, reason: 'no progress for 60 s', since },
        { printer_key: 'unknown', reason: 'gone', since },
      ],
    };
    const json = { session_id: scene.agent.sessionId, leases: [], health };
    await scene.agent.call('POST', '/heartbeat', { json });
    expect(await overview(browser)).toMatchObject({
      stuck_printers: [{ printer_id: scene.printerId, reason: 'no progress for 60 s', since }],
      attention: [{ kind: 'printer_stuck', count: 1, since, link: `#/devices/printers/${scene.printerId}` }],
    });
    await service.advance(120_000);
    expect(await overview(browser)).toMatchObject({ stuck_printers: [], attention: [] });
  });

  it('webhooks that are paused, and deliveries without further attempts', async () => {
    const receiver = await WebhookReceiver.start();
    const clerk = new WebhookClerk(service, scene.key);
    for (const behaviour of ['gone', 'error'])
      await clerk.open(`http://127.0.0.1:${receiver.port}/${behaviour}/x`, { event_types: ['job.created'] });
    await scene.cancel(await scene.create());
    const attempts = () => receiver.requests.filter(({ path }) => path.startsWith('/error')).length;
    for (let n = 1; n <= 6; n++) {
      await eventually(attempts, (made) => made === n);
      await eventually(
        async () => (await clerk.list()).deliveries.filter(({ status }) => status === 'delivering'),
        ({ length }) => length === 0,
      );
      if (n === 2)
        expect((await overview(browser)).attention).toContainEqual(
          expect.objectContaining({ kind: 'webhook_failing', count: 1 }),
        );
      await service.advance(6 * HOUR);
    }
    const { browser: later } = await joined(service, scene.accountId, 'vic', 'viewer');
    expect((await overview(later)).attention).toMatchObject([
      { kind: 'dead_letters', count: 1, link: '#/webhooks?status=dead_letter' },
      { kind: 'webhook_paused', count: 1, link: '#/webhooks' },
    ]);
    await receiver.close();
  });
});

describe('the service as operators see it', () => {
  it('shows health, versions, stores, views, timers and queues', async () => {
    const scene = await JobScene.open(service, { slug: 'acme' });
    await scene.create();
    const shown = await service.operate('GET', '/service');
    expect(shown).toMatchObject({
      ready: true,
      checks: { event_store: 'ok', read_store: 'ok', projections: 'ok' },
      versions: { product: '2.0.59', contract: 'v1' },
      role: 'all',
      overdue_timers: 0,
      credentials_ending: 0,
      deliveries: { ready: 0, waiting: 0, in_flight: 0 },
      jobs: { ...none, queued: 1 },
    });
    expect(shown.views).toContainEqual(expect.objectContaining({ name: 'job-view', lag: 0 }));
    service.clock.advance(2 * DAY);
    expect(await service.operate('GET', '/service')).toMatchObject({
      overdue_timers: expect.any(Number),
      attention: expect.arrayContaining([{ kind: 'timers_overdue', count: expect.any(Number) }]),
    });
  });

  it('is for operators alone, also in a browser', async () => {
    expect((await (await operatorBrowser(service)).get('/operator/service')).status).toBe(200);
    const { accountId, key } = await openAccount(service);
    const { browser } = await joined(service, accountId, 'bea', 'owner');
    expect(verdict(await browser.get('/operator/service'))).toBe('401 CREDENTIAL_INVALID');
    expect(verdict(await service.call('GET', '/operator/service', { as: key }))).toBe(
      '401 CREDENTIAL_INVALID',
    );
  });
});
