import { JobScene } from '../../kit/job-scene.js';
import { joined, operatorBrowser } from '../../kit/panel.js';
import { serviceForEach } from '../../kit/service.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';
import { HOUR, MINUTE, verdict } from '../asking.js';
import { eventually, INSECURE, WebhookClerk } from '../webhook-asking.js';

const service = serviceForEach({ env: INSECURE });

const beginOf = (at: string) => `${at.slice(0, 13)}:00:00.000Z`;

describe('the activity of an account', () => {
  it('counts jobs by the hour of their creation and the status that they have now', async () => {
    const scene = await JobScene.open(service, { slug: 'acme' });
    const other = await JobScene.open(service, { slug: 'other' });
    const { browser } = await joined(service, scene.accountId, 'bea', 'viewer');
    const shown = async (query = '') => (await browser.get(`/panel/activity${query}`)).body.data;
    expect(await shown()).toMatchObject({ jobs: [], p50_ms: null, deliveries: [] });

    const first = beginOf(service.clock.now());
    await scene.at('completed');
    await scene.parked();
    await scene.cancel(await scene.create());
    await other.create();
    service.clock.advance(HOUR);
    await scene.create();
    const none = { completed: 0, failed: 0, in_review: 0, expired: 0, cancelled: 0, unfinished: 0 };
    const times = { p50_ms: 50, p95_ms: 95 };
    expect(await shown('?hours=2')).toMatchObject({
      from: first,
      to: service.clock.now(),
      jobs: [
        { hour: first, ...none, created: 3, completed: 1, in_review: 1, cancelled: 1, ...times },
        { ...none, created: 1, unfinished: 1, p50_ms: null, p95_ms: null },
      ],
      ...times,
    });
    service.clock.advance(HOUR);
    expect(await shown('?hours=2')).toMatchObject({ jobs: [{ created: 1 }] });
    const answers = await Promise.all(
      ['?hours=1', '?hours=721'].map((query) => browser.get(`/panel/activity${query}`)),
    );
    expect(answers.map(verdict)).toEqual(['400 INVALID_REQUEST', '400 INVALID_REQUEST']);
  });

  it('shows when computers and printers were online', async () => {
    const scene = await JobScene.open(service, { slug: 'acme' });
    await JobScene.open(service, { slug: 'other' });
    const { browser } = await joined(service, scene.accountId, 'bea', 'viewer');
    await service.advance(10 * MINUTE);
    await scene.agent.heartbeat();
    const { availability } = (await browser.get('/panel/activity')).body.data as {
      availability: readonly object[];
    };
    const online = { state: 'online', since: service.clock.now(), outages: 1 };
    const states = [{ state: 'online' }, { state: 'offline' }, { state: 'online' }];
    expect(availability).toEqual([
      expect.objectContaining({ kind: 'computer', id: scene.agent.computerId, ...online }),
      expect.objectContaining({ kind: 'printer', id: scene.printerId, ...online }),
    ]);
    for (const strip of availability as readonly { readonly intervals: readonly object[] }[])
      expect(strip.intervals.slice(-3)).toMatchObject(states);
  });

  it('counts webhook deliveries by their result', async () => {
    const scene = await JobScene.open(service, { slug: 'acme' });
    const { browser } = await joined(service, scene.accountId, 'bea', 'viewer');
    const receiver = await WebhookReceiver.start();
    const clerk = new WebhookClerk(service, scene.key);
    await clerk.open(`http://127.0.0.1:${receiver.port}/ok/x`, { event_types: ['job.created'] });
    await scene.create();
    await eventually(
      async () => (await browser.get('/panel/activity')).body.data!.deliveries as readonly object[],
      (hours) => hours.some((hour) => (hour as { delivered: number }).delivered === 1),
    );
    await receiver.close();
  });
});

describe('the activity of the service', () => {
  it('is that of all accounts with the rates of the last full hour, for operators alone', async () => {
    const scenes = [await JobScene.open(service, { slug: 'a' }), await JobScene.open(service, { slug: 'b' })];
    for (const scene of scenes) await scene.create();
    await scenes[0]!.parked();
    service.clock.advance(HOUR);
    expect(await service.operate('GET', '/activity?hours=24')).toMatchObject({
      jobs: [{ created: 3, in_review: 1, unfinished: 2 }],
      jobs_per_minute: 3 / 60,
      deliveries_per_minute: 0,
      failed_share: 1 / 3,
    });
    expect((await (await operatorBrowser(service)).get('/operator/activity')).status).toBe(200);
    const { browser } = await joined(service, scenes[0]!.accountId, 'bea', 'owner');
    expect(verdict(await browser.get('/operator/activity'))).toBe('401 CREDENTIAL_INVALID');
  });
});
