import { sceneForAll } from '../../kit/job-scene.js';
import { joined } from '../../kit/panel.js';
import { serviceForAll } from '../../kit/service.js';
import { verdict } from '../asking.js';
import { onePrinter } from '../../kit/world.js';
import { INSECURE } from '../webhook-asking.js';

interface Result {
  readonly kind: string;
  readonly id: string;
  readonly account_id?: string;
  readonly title: string;
  readonly detail: string;
}

const service = serviceForAll({ env: INSECURE });
const scene = sceneForAll(service, { slug: 'order-house', name: 'Orderly Bakery' });
let jobId: string;
let partnerId: string;
beforeAll(async () => {
  ({ partner_id: partnerId } = (await service.operate('POST', '/partners', {
    name: 'Order Partners',
  })) as { partner_id: string });
  jobId = await scene.create({ title: 'Order 1211', external_id: 'shop-1' });
  const { browser } = await joined(service, scene.accountId, 'bea', 'owner');
  const channels = [{ type: 'slack', to: 'http://127.0.0.1:9/nobody' }];
  const choice = { kinds: ['job_failed'], channels, pace: 'at_once', when_over: true, quiet_hours: null };
  await browser.call('PUT', '/panel/alerts', choice);
  await browser.post('/panel/alerts/test');
});

describe('the search of operators', () => {
  const find = async (q: string) =>
    (await service.operate('GET', `/search?q=${encodeURIComponent(q)}`)).results as Result[];

  it('finds jobs, accounts and partners by their names', async () => {
    expect(await find('order')).toEqual([
      { kind: 'account', id: scene.accountId, title: 'Orderly Bakery', detail: 'order-house, active' },
      { kind: 'partner', id: partnerId, title: 'Order Partners', detail: 'order-partners' },
      {
        kind: 'job',
        id: jobId,
        account_id: scene.accountId,
        title: 'Order 1211',
        detail: expect.stringMatching(/^queued, .+ on .+, shop-1$/),
      },
    ]);
    expect(await find('SHOP')).toEqual([]);
    expect(await find('shop-1')).toMatchObject([{ kind: 'job', id: jobId }]);
  });

  it('finds everything by its id, and computers by name and code', async () => {
    const { computerId } = scene.agent;
    const [byId] = await find(computerId);
    expect(byId).toMatchObject({ kind: 'computer', id: computerId, account_id: scene.accountId });
    const { name, friendly_code } = await service.operate('GET', `/computers/${computerId}`);
    for (const q of [String(name).toLowerCase(), String(friendly_code)])
      expect(await find(q)).toContainEqual(byId);
    for (const id of [jobId, scene.accountId, partnerId])
      expect((await find(id)).map((one) => one.id)).toEqual([id]);
  });

  it('gives every kind a share of twenty results', async () => {
    for (let n = 0; n < 25; n++) await service.operate('POST', '/accounts', { name: `Order house ${n}` });
    const results = await find('order');
    expect(results).toHaveLength(20);
    expect(results.filter(({ kind }) => kind !== 'account').map(({ id }) => id)).toEqual([partnerId, jobId]);
  });

  it('needs a text', async () => {
    expect(verdict(await service.call('GET', '/operator/search', { as: service.operatorToken }))).toBe(
      '400 INVALID_REQUEST',
    );
    expect(await find(' ')).toEqual([]);
  });
});

describe('the states of a stream', () => {
  const states = async (path: string) =>
    (await service.operate('GET', `/streams/${path}`)) as {
      items: { revision: number; position: string; state: Record<string, unknown> }[];
      has_more: boolean;
    };

  it('are those that the service decides on, one for each event', async () => {
    await scene.cancel(jobId);
    const { items, has_more } = await states(`job-${jobId}/states`);
    expect(items.map(({ state }) => state.status)).toEqual(['created', 'queued', 'cancelled']);
    expect(has_more).toBe(false);
    const events = (await states(`job-${jobId}`)).items;
    expect(items.map(({ position, revision }) => ({ position, revision }))).toEqual(
      events.map(({ position, revision }) => ({ position, revision })),
    );
    const page = await states(`job-${jobId}/states?limit=1&after=${items[0]!.position}`);
    expect(page).toEqual({ items: [items[1]], has_more: true });
  });

  it('are known for every stream of the store', async () => {
    const { items } = (await service.operate('GET', '/events?limit=1000')) as { items: { stream: string }[] };
    const streams = [...new Set(items.map(({ stream }) => stream))];
    const categories = new Set(streams.map((stream) => stream.split('-')[0]));
    expect(categories.size).toBeGreaterThan(8);
    expect(categories).toContain('alerts');
    for (const category of categories) {
      const stream = streams.find((one) => one.startsWith(`${category}-`))!;
      for (const { state } of (await states(`${stream}/states`)).items)
        expect(state).toEqual(expect.any(Object));
    }
  });

  it('are given in pages of at most 4 MiB, of a computer with 500 printers too', async () => {
    const { computerId } = scene.agent;
    await scene.agent.inventory(
      Array.from({ length: 500 }, (_, n) => ({ ...onePrinter, printer_key: `many-${n}` })),
    );
    const all = (await states(`computer-${computerId}?limit=1000`)).items;
    const after = all.at(-200)!.position;
    const page = await states(`computer-${computerId}/states?limit=200&after=${after}`);
    expect(page.has_more).toBe(true);
    expect(page.items.length).toBeGreaterThan(1);
    expect(JSON.stringify(page.items).length).toBeLessThan(4_200_000);
    const next = await states(`computer-${computerId}/states?limit=1&after=${page.items.at(-1)!.position}`);
    expect(next.items[0]!.revision).toBe(page.items.at(-1)!.revision + 1);
  });

  it('are an entry in the audit, and 404 for an unknown stream', async () => {
    const { items } = (await service.operate('GET', '/events?limit=1000')) as { items: object[] };
    expect(items).toContainEqual(
      expect.objectContaining({ type: 'OperatorReadStream', data: { stream: `job-${jobId}` } }),
    );
    const unknown = '/operator/streams/job-01990000-0000-7000-8000-00000000dead/states';
    expect(verdict(await service.call('GET', unknown, { as: service.operatorToken }))).toBe(
      '404 STREAM_NOT_FOUND',
    );
  });
});
