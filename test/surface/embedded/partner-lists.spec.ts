import { TestPartner, walk } from '../../kit/partner.js';
import { serviceForAll, startTestService } from '../../kit/service.js';
import { onePrinter, TestAgent } from '../../kit/world.js';

describe('walking the lists of a partner', () => {
  const service = serviceForAll();
  let partner: TestPartner;
  beforeAll(async () => {
    partner = await TestPartner.open(service);
  });

  const ids = (items: readonly Record<string, unknown>[]) => items.map((item) => item.job_id);
  const printed = async (accountId: string, printerId: string, count: number) => {
    const made: unknown[] = [];
    for (let i = 0; i < count; i++) made.push((await partner.print(accountId, printerId)).body.data!.job_id);
    return made.reverse();
  };

  it('shows each of 250 jobs once in pages of 100, despite additions and changes', async () => {
    const accountId = await partner.account();
    const { agent, printerId } = await TestAgent.ready(service, accountId);
    const newestFirst = await printed(accountId, printerId, 250);
    const pages = await walk(partner, `/accounts/${accountId}/jobs?limit=100`, async () => {
      await printed(accountId, printerId, 5);
      await agent.print();
    });
    expect(pages.map((page) => page.length)).toEqual([100, 100, 50]);
    expect(ids(pages.flat())).toEqual(newestFirst);
  });

  it('has pages of 50 jobs by default, and no cursor on a full last page', async () => {
    const accountId = await partner.account();
    const { printerId } = await TestAgent.ready(service, accountId);
    await printed(accountId, printerId, 50);
    const path = `/accounts/${accountId}/jobs`;
    const { body } = await partner.call('GET', path);
    expect(body.data).toMatchObject({ has_more: false, next_cursor: null });
    await printed(accountId, printerId, 1);
    const longer = await partner.call('GET', path);
    expect(longer.body.data!.items).toHaveLength(50);
    expect(longer.body.data).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
  });

  it('walks devices and printers too, with a varying limit', async () => {
    const accountId = await partner.account();
    const inventory = ['a', 'b', 'c'].map((printer_key) => ({ ...onePrinter, printer_key }));
    for (let i = 0; i < 3; i++) await TestAgent.ready(service, accountId, inventory);
    const devices = await walk(partner, `/accounts/${accountId}/devices?limit=2`);
    expect(devices.map((page) => page.length)).toEqual([2, 1]);
    const printers = await walk(partner, `/accounts/${accountId}/printers?enabled=true&limit=4`);
    expect(printers.map((page) => page.length)).toEqual([4, 4, 1]);
    expect(new Set(printers.flat().map(({ printer_id }) => printer_id)).size).toBe(9);
    const path = `/accounts/${accountId}/printers`;
    const first = await partner.call('GET', `${path}?limit=1`);
    const rest = await partner.call(
      'GET',
      `${path}?limit=100&cursor=${String(first.body.data!.next_cursor)}`,
    );
    expect(rest.body.data!.items).toHaveLength(8);
  });

  it('returns an empty page for an empty account', async () => {
    const accountId = await partner.account();
    for (const list of ['devices', 'printers', 'jobs']) {
      const { body } = await partner.call('GET', `/accounts/${accountId}/${list}`);
      expect([body.code, body.data]).toEqual(['OK', { items: [], has_more: false, next_cursor: null }]);
    }
  });

  describe('with a foreign or invalid cursor', () => {
    let accountId: string;
    let cursor: string;
    beforeAll(async () => {
      accountId = await partner.account();
      const { printerId } = await TestAgent.ready(service, accountId);
      await printed(accountId, printerId, 3);
      const { body } = await partner.call('GET', `/accounts/${accountId}/jobs?status=queued&limit=1`);
      cursor = String(body.data!.next_cursor);
    });
    const refused = async (path: string, by = partner) => {
      const { status, body } = await by.call('GET', path);
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(body.message).toContain('cursor');
      expect(body.message).not.toContain(cursor);
    };

    it('continues with the same filters for every credential of the partner', async () => {
      const other = await partner.credentialOf('live', ['jobs:read']);
      const path = `/accounts/${accountId}/jobs?status=queued&cursor=${cursor}`;
      const { body } = await service.call('GET', path, { as: other.secret });
      expect(body.data!.items).toHaveLength(2);
    });

    it('refuses it for other filters, another list, another account, another partner', async () => {
      await refused(`/accounts/${accountId}/jobs?cursor=${cursor}`);
      await refused(`/accounts/${accountId}/jobs?status=printed&cursor=${cursor}`);
      await refused(`/accounts/${accountId}/devices?cursor=${cursor}`);
      await refused(`/accounts/${await partner.account()}/jobs?status=queued&cursor=${cursor}`);
      const other = await TestPartner.open(service);
      await refused(`/accounts/${accountId}/jobs?status=queued&cursor=${cursor}`, other);
    });

    it('is valid after a restart with the same key', async () => {
      const again = await startTestService({
        env: { SVC_MASTER_KEY: Buffer.alloc(32, 'key').toString('base64') },
      });
      const first = await startTestService({
        env: { SVC_MASTER_KEY: Buffer.alloc(32, 'key').toString('base64') },
        stores: () => again.stores,
      });
      const own = await TestPartner.open(again);
      const account = await own.account();
      await TestAgent.enrol(again, account);
      await TestAgent.enrol(again, account);
      const { body } = await own.call('GET', `/accounts/${account}/devices?limit=1`);
      const path = `/accounts/${account}/devices?cursor=${String(body.data!.next_cursor)}`;
      const { status } = await first.call('GET', path, { as: own.credential });
      expect(status).toBe(200);
      await first.service.app.close();
      await again.close();
    });
  });
});
