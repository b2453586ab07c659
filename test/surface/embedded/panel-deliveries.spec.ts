import { JobScene, sceneForAll } from '../../kit/job-scene.js';
import { joined, type Browser } from '../../kit/panel.js';
import { serviceForAll } from '../../kit/service.js';
import { WebhookReceiver } from '../../kit/webhook-receiver.js';
import { itemsOf, verdict } from '../asking.js';
import { eventually, INSECURE, WebhookClerk } from '../webhook-asking.js';

const service = serviceForAll({ env: INSECURE });
const scene = sceneForAll(service, { slug: 'acme' });
let owner: Browser;
let stranger: Browser;
let receiver: WebhookReceiver;
let failing: string;
let healthy: string;
let jobId: string;

const list = async (query = '', browser = owner) => itemsOf(await browser.get(`/panel/deliveries${query}`));
const shown = async (query: string) =>
  (await list(query)).map(
    ({ webhook_name, event_type, job_title }) =>
      `${String(webhook_name)}: ${String(event_type)} of ${String(job_title)}`,
  );

beforeAll(async () => {
  receiver = await WebhookReceiver.start();
  ({ browser: owner } = await joined(service, scene.accountId, 'bea', 'owner'));
  const other = await JobScene.open(service, { slug: 'other' });
  ({ browser: stranger } = await joined(service, other.accountId, 'zoe', 'owner'));
  const clerk = new WebhookClerk(service, scene.key);
  const open = async (path: string, description: string) => {
    const event_types = ['job.created', 'job.cancelled'];
    const url = `http://127.0.0.1:${receiver.port}/${path}`;
    return (await clerk.open(url, { description, event_types })).webhookId;
  };
  failing = await open('error/shop', 'Shop');
  healthy = await open('fine', 'Ledger');
  jobId = await scene.create({ title: 'Order 1211', external_id: 'shop-77' });
  await scene.cancel(await scene.create({ title: 'Invoice 8' }));
  await eventually(list, (all) => all.length === 6 && all.every(({ attempt_count }) => attempt_count === 1));
});
afterAll(() => receiver.close());

describe('listing webhook deliveries in the panel', () => {
  it('names the webhook and the job of each, newest first', async () => {
    expect(await shown(`?webhook_id=${failing}`)).toEqual([
      'Shop: job.cancelled of Invoice 8',
      'Shop: job.created of Invoice 8',
      'Shop: job.created of Order 1211',
    ]);
    expect((await list(`?webhook_id=${failing}`))[2]).toMatchObject({ job_id: jobId, response_status: 500 });
  });

  it('filters by webhook, status and event type together', async () => {
    expect(await shown(`?webhook_id=${healthy}&status=delivered&event_type=job.cancelled`)).toEqual([
      'Ledger: job.cancelled of Invoice 8',
    ]);
    expect(await shown(`?webhook_id=${healthy}&status=retry_scheduled`)).toEqual([]);
  });

  it('filters by the time of their creation, both ends included', async () => {
    const [now, before, after] = [0, -1, 1].map((ms) => service.fromNow(ms));
    const counted = async (query: string) => (await list(query)).length;
    expect(await counted(`?since=${now}&until=${now}`)).toBe(6);
    expect([await counted(`?since=${after}`), await counted(`?until=${before}`)]).toEqual([0, 0]);
  });

  it('searches by a part of the title or of the external id, in any case', async () => {
    for (const q of ['order%2012', 'SHOP-77'])
      expect((await shown(`?q=${q}`)).sort()).toEqual([
        'Ledger: job.created of Order 1211',
        'Shop: job.created of Order 1211',
      ]);
    expect(await shown('?q=order&status=dead_letter')).toEqual([]);
  });

  it('finds a delivery by its own id, by its event and by its job', async () => {
    const [delivery] = await list(`?q=Order&webhook_id=${failing}`);
    expect(await list(`?q=${String(delivery!.delivery_id)}`)).toEqual([delivery]);
    expect((await list(`?q=${String(delivery!.event_id)}`)).length).toBe(2);
    expect((await list(`?q=${jobId}`)).length).toBe(2);
    expect(await list(`?q=${jobId}&webhook_id=${failing}`)).toEqual([delivery]);
    expect((await list(`?q=${jobId}&limit=1`)).length).toBe(2);
  });

  it.each(['', '&event_type=job.created'])('returns each once, page by page%s', async (filter) => {
    const whole = await list(`?limit=100${filter}`);
    const walked: unknown[] = [];
    for (let cursor = ''; ;) {
      const { body } = await owner.get(`/panel/deliveries?limit=1${filter}${cursor}`);
      const { items, next_cursor } = body.data as { items: unknown[]; next_cursor: string | null };
      walked.push(...items);
      if (next_cursor === null) break;
      cursor = `&cursor=${next_cursor}`;
    }
    expect(walked).toEqual(whole);
  });

  it('shows nothing of another account', async () => {
    const [delivery] = await list();
    for (const query of ['', `?webhook_id=${failing}`, `?q=${jobId}`, `?q=${String(delivery!.delivery_id)}`])
      expect(await list(query, stranger)).toEqual([]);
    expect(await list(`?q=${String(delivery!.event_id)}`, stranger)).toEqual([]);
  });

  it.each(['status=lost', 'event_type=job.lost', 'webhook_id=x', 'q=', 'cursor=x', 'limit=101'])(
    'refuses ?%s',
    async (query) => {
      expect(verdict(await owner.get(`/panel/deliveries?${query}`))).toBe('400 INVALID_REQUEST');
    },
  );
});

describe('the ledger of deliveries in the Integration API', () => {
  const ask = (json: object, as = scene.key) =>
    service.call('POST', '/svc-list-webhook-deliveries', { as, json });
  const ledger = async (filter: object) =>
    itemsOf(await ask(filter)).map(({ webhook_id, event_type }) => [
      webhook_id === failing ? 'Shop' : 'Ledger',
      event_type,
    ]);
  const newest = async () => itemsOf(await ask({ webhook_id: failing, limit: 1 }))[0]!;

  it('lists what the panel lists, in the same order', async () => {
    const ids = (items: readonly Record<string, unknown>[]) => items.map((it) => it.delivery_id);
    expect(ids(itemsOf(await ask({})))).toEqual(ids(await list()));
  });

  it('filters by each field', async () => {
    const { event_id, created_at } = await newest();
    const created = ['Shop', 'job.created'];
    expect(await ledger({ job_id: jobId, webhook_id: failing })).toEqual([created]);
    expect(await ledger({ event_id })).toEqual(
      expect.arrayContaining([
        ['Shop', 'job.cancelled'],
        ['Ledger', 'job.cancelled'],
      ]),
    );
    expect(await ledger({ event_id, job_id: jobId })).toEqual([]);
    const failed = await ledger({ failure_code: 'HTTP_STATUS' });
    expect(failed).toEqual([['Shop', 'job.cancelled'], created, created]);
    expect(await ledger({ failure_code: 'TIMEOUT' })).toEqual([]);
    expect(await ledger({ event_type: 'job.cancelled', status: 'delivered' })).toEqual([
      ['Ledger', 'job.cancelled'],
    ]);
    expect(await ledger({ since: created_at, until: created_at })).toHaveLength(6);
    expect(await ledger({ since: service.fromNow(1) })).toEqual([]);
    expect(await ledger({ until: service.fromNow(-1) })).toEqual([]);
  });

  it('returns each once, page by page, and refuses a cursor of another filter', async () => {
    const whole = itemsOf(await ask({}));
    const walked: unknown[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await ask({ limit: 2, ...(cursor && { cursor }) });
      const { items, next_cursor } = body.data as { items: unknown[]; next_cursor: string | null };
      walked.push(...items);
      if (next_cursor !== null)
        expect(verdict(await ask({ cursor: next_cursor, status: 'delivered' }))).toBe(
          '400 SVC_VALIDATION_FAILED',
        );
      cursor = next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(walked).toEqual(whole);
  });

  it('finds deliveries of a deleted webhook by event and by job', async () => {
    const { event_id } = await newest();
    const [byEvent, byJob] = [await ask({ event_id }), await ask({ job_id: jobId })];
    await new WebhookClerk(service, scene.key).delete(healthy);
    const ids = (answered: typeof byJob) => itemsOf(answered).map((it) => it.delivery_id);
    expect(ids(byJob)).toHaveLength(2);
    expect(ids(await ask({ event_id }))).toEqual(ids(byEvent));
    expect(ids(await ask({ job_id: jobId }))).toEqual(ids(byJob));
  });
});
