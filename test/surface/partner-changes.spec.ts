import { JobScene } from '../kit/job-scene.js';
import { TestPartner } from '../kit/partner.js';
import { soon } from '../kit/polling.js';
import { Changes } from '../../src/api/changes.js';
import { serviceForAll } from '../kit/service.js';
import { onePrinter, TestAgent } from '../kit/world.js';
import { verdict } from './asking.js';

interface Item {
  readonly event_id: string;
  readonly event_type: string;
  readonly account_id: string;
  readonly data: Readonly<Partial<Record<'job' | 'device' | 'printer', Record<string, unknown>>>>;
}

describe('listing changes as a partner', () => {
  const service = serviceForAll();
  let partner: TestPartner;
  let accounts: string[];
  let printers: string[];
  beforeEach(async () => {
    partner = await TestPartner.open(service);
    accounts = [await partner.account(), await partner.account()];
    printers = [];
    for (const account of accounts)
      printers.push((await TestAgent.ready(service, account, [onePrinter])).printerId);
  });

  const ask = (path: string, as = partner.credential, headers: Record<string, string> = {}) =>
    service.call('GET', path, { as, headers });
  const page = async (path: string, as?: string) => {
    const asked = await ask(path, as);
    expect(asked.status).toBe(200);
    return asked.body.data as unknown as { items: Item[]; next_cursor: string; has_more: boolean };
  };
  const ofAccount = (n: number, query = '') => `/accounts/${accounts[n]}/changes${query}`;
  const ofAll = (query = '') => `/managed/changes${query}`;
  const idsOf = (items: readonly Item[]) => items.map(({ event_id }) => event_id);

  it('shows all accounts of the partner in the order of the store, each account on its own', async () => {
    for (const n of [0, 1, 0]) await partner.print(accounts[n]!, printers[n]!);
    const other = await TestPartner.open(service);
    await TestAgent.ready(service, await other.account(), [onePrinter]);
    await JobScene.open(service);
    const all = (await page(ofAll('?limit=1000'))).items;
    expect(new Set(all.map(({ account_id }) => account_id))).toEqual(new Set(accounts));
    const order = (await service.stores.events.readAll({ max: 10_000 })).map(({ id }) => id);
    expect(idsOf(all)).toEqual(order.filter((id) => idsOf(all).includes(id)));
    for (const n of [0, 1]) {
      const own = (await page(ofAccount(n, '?limit=1000'))).items;
      expect(own).toEqual(all.filter(({ account_id }) => account_id === accounts[n]));
      expect(own.length).toBeGreaterThan(4);
    }
  });

  it("shows the partner's own job, device and printer, as other operations do", async () => {
    const { body } = await partner.print(accounts[0]!, printers[0]!);
    const { items } = await page(ofAccount(0));
    const shown = (type: string) => items.find(({ event_type }) => event_type === type)!.data;
    expect(shown('job.queued').job).toEqual(body.data);
    const [device] = await partner.list(`/accounts/${accounts[0]}/devices`);
    expect(shown('computer.online').device).toMatchObject({
      ...{ device_id: device!.device_id, status: 'online', last_seen_at: null },
    });
    const [printer] = await partner.list(`/accounts/${accounts[0]}/printers`);
    expect({ ...shown('printer.online').printer, last_seen_at: printer!.last_seen_at }).toEqual(printer);
  });

  it('waits for any account of the partner', async () => {
    const after = (await page(ofAll('?after=now'))).next_cursor;
    const answered = ask(ofAll(`?after=${after}`), partner.credential, { prefer: 'wait=25' });
    await soon(() => service.service.app.get(Changes, { strict: false }).waiting === 1);
    await partner.print(accounts[1]!, printers[1]!);
    const { items } = (await answered).body.data as unknown as { items: Item[] };
    expect(items[0]).toMatchObject({ account_id: accounts[1], event_type: 'job.created' });
  });

  it('leaves out what the scopes do not show', async () => {
    const kindsFor = async (scope: string) => {
      const { secret } = await partner.credentialOf('live', [scope]);
      const { items } = await page(ofAll(), secret);
      return [...new Set(items.flatMap(({ data }) => Object.keys(data)))];
    };
    await partner.print(accounts[0]!, printers[0]!);
    expect(await kindsFor('jobs:read')).toEqual(['job']);
    expect(await kindsFor('devices:read')).toEqual(['device']);
    expect(await kindsFor('printers:read')).toEqual(['printer']);
    const { secret } = await partner.credentialOf('live', ['diagnostics:read']);
    expect(verdict(await ask(ofAll(), secret))).toBe('403 SCOPE_REQUIRED');
  });

  it('refuses accounts and cursors of others', async () => {
    const other = await TestPartner.open(service);
    expect(verdict(await ask(ofAccount(0), other.credential))).toBe('404 ACCOUNT_NOT_FOUND');
    const cursors = [(await page(ofAll())).next_cursor, (await page(ofAccount(1))).next_cursor];
    for (const after of cursors)
      expect(verdict(await ask(ofAccount(0, `?after=${after}`)))).toBe('400 INVALID_REQUEST');
    expect(verdict(await ask(ofAll(`?after=${cursors[0]}`), other.credential))).toBe('400 INVALID_REQUEST');
  });
});
