import { LiveFeeds } from '../../src/api/panel/feed/feed.controller.js';
import { JobScene, sceneForEach } from '../kit/job-scene.js';
import { joined, type Browser } from '../kit/panel.js';
import { OpenFeed } from '../kit/panel-feed.js';
import { serviceForEach } from '../kit/service.js';
import { HOUR, SECOND } from './asking.js';
import { eventually, INSECURE } from './webhook-asking.js';

const service = serviceForEach({ env: INSECURE });
const scene = sceneForEach(service, { slug: 'acme' });
let owner: Browser;
let memberId: string;
beforeEach(async () => {
  ({ browser: owner, memberId } = await joined(service, scene.accountId, 'bea', 'owner'));
});

const openFeeds = () => service.service.app.get(LiveFeeds, { strict: false }).size;
const nothing = { jobs: [], computers: [], printers: [], webhooks: [], deliveries: [] };

describe('the live feed', () => {
  it('names a changed job once the views show it', async () => {
    const feed = await OpenFeed.of(service, owner);
    expect(Object.fromEntries(feed.response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
    const jobId = await scene.create();
    expect(await feed.next()).toEqual({
      event: 'changed',
      id: expect.stringMatching(/^\d{20}$/),
      data: { ...nothing, jobs: [jobId] },
    });
    await feed.close();
  });

  it('gathers the changes of a quarter of a second in one message', async () => {
    const feed = await OpenFeed.of(service, owner);
    const first = await scene.create();
    expect((await feed.next())!.data).toMatchObject({ jobs: [first] });
    const second = await scene.create();
    await owner.call('PATCH', `/panel/printers/${scene.printerId}`, { display_name: 'Counter' });
    await owner.post('/svc-create-webhook', {
      url: 'http://127.0.0.1:9/',
      event_types: ['job.failed'],
    });
    service.clock.advance(250);
    const { data } = (await feed.next())!;
    // Server stores may tell of the second event of the first job only now.
    expect([...new Set([first, ...data!.jobs!])]).toEqual([first, second]);
    expect(data).toMatchObject({ printers: [scene.printerId], computers: [] });
    expect(data!.webhooks).toHaveLength(1);
    await feed.close();
  });

  it('sends nothing about other accounts', async () => {
    const other = await JobScene.open(service, { slug: 'other' });
    const feed = await OpenFeed.of(service, owner);
    await other.create();
    service.clock.advance(250);
    const ours = await scene.create();
    service.clock.advance(250);
    expect((await feed.next())!.data).toMatchObject({ jobs: [ours] });
    await feed.close();
  });

  it('requests a full reload after more changes than a message lists', async () => {
    const feed = await OpenFeed.of(service, owner);
    await scene.create();
    expect((await feed.next())!.event).toBe('changed');
    await Promise.all(Array.from({ length: 201 }, () => scene.create()));
    service.clock.advance(250);
    expect(await feed.next()).toMatchObject({ event: 'resync', data: {} });
    await feed.close();
  });

  it('writes a comment every 15 seconds', async () => {
    const feed = await OpenFeed.of(service, owner);
    service.clock.advance(15 * SECOND);
    expect(await feed.next()).toEqual({});
    service.clock.advance(15 * SECOND);
    expect(await feed.next()).toEqual({});
    await feed.close();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['is removed', () => service.operate('POST', `/members/${memberId}/remove`)],
    ['signs out', () => owner.post('/panel/session/end')],
    ['has made no request for 12 hours', () => service.advance(12 * HOUR)],
  ])('ends before the next message when the member %s', async (_, end) => {
    await service.operate('POST', `/accounts/${scene.accountId}/members`, { name: 'second', role: 'owner' });
    const feed = await OpenFeed.of(service, owner);
    await joined(service, scene.accountId, 'third', 'owner');
    await end();
    await scene.create();
    service.clock.advance(15 * SECOND);
    expect(await feed.next()).toBeUndefined();
    await eventually(openFeeds, (open) => open === 0);
  });

  it('ends within a quarter of a second when the member is removed', async () => {
    await service.operate('POST', `/accounts/${scene.accountId}/members`, { name: 'second', role: 'owner' });
    const feed = await OpenFeed.of(service, owner);
    await service.operate('POST', `/members/${memberId}/remove`);
    service.clock.advance(250);
    expect(await feed.next()).toBeUndefined();
    expect(openFeeds()).toBe(0);
  });

  it('refuses HEAD, which would keep a feed open', async () => {
    const asked = await owner.call('HEAD', '/panel/feed');
    expect([asked.status, asked.headers.get('allow')]).toEqual([405, 'GET']);
    expect(openFeeds()).toBe(0);
  });

  it('ends when the tab closes, and when the service stops', async () => {
    const closed = await OpenFeed.of(service, owner);
    const open = await OpenFeed.of(service, owner);
    await closed.close();
    await eventually(openFeeds, (count) => count === 1);
    await service.service.app.close();
    expect(await open.next()).toBeUndefined();
  });

  it('allows four feeds per session', async () => {
    const feeds = [];
    for (let n = 0; n < 4; n++) feeds.push(await OpenFeed.of(service, owner));
    const fifth = await owner.get('/panel/feed');
    expect(`${fifth.status} ${fifth.body.code}`).toBe('429 RATE_LIMIT_EXCEEDED');
    await feeds[0]!.close();
    await eventually(openFeeds, (count) => count === 3);
    await (await OpenFeed.of(service, owner)).close();
    await Promise.all(feeds.map((feed) => feed.close()));
  });

  it('allows forty feeds per account, and leaves the others to other accounts', async () => {
    const feeds = [];
    for (let n = 0; n < 10; n++) {
      const { browser } = await joined(service, scene.accountId, `viewer-${n}`, 'viewer');
      for (let m = 0; m < 4; m++) feeds.push(await OpenFeed.of(service, browser));
    }
    const refused = await owner.get('/panel/feed');
    expect(`${refused.status} ${refused.body.code}`).toBe('429 RATE_LIMIT_EXCEEDED');
    expect(refused.headers.get('retry-after')).toBe('15');
    const other = await JobScene.open(service, { slug: 'other' });
    const { browser: stranger } = await joined(service, other.accountId, 'zoe', 'viewer');
    await (await OpenFeed.of(service, stranger)).close();
    await feeds[0]!.close();
    await eventually(openFeeds, (count) => count === 39);
    await (await OpenFeed.of(service, owner)).close();
    await Promise.all(feeds.map((feed) => feed.close()));
  });
});
