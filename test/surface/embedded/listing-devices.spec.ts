import { serviceForAll } from '../../kit/service.js';
import { onePrinter, openAccount, TestAgent } from '../../kit/world.js';
import { itemsOf, SECOND, verdict } from '../asking.js';

const printer = (printer_key: string, more: object = {}) => ({
  ...onePrinter,
  printer_key,
  name: printer_key,
  ...more,
});

describe('listing computers and printers', () => {
  const service = serviceForAll();
  let key: string;
  /** Oldest first: one of each status. */
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const { accountId, ...account } = await openAccount(service);
    ({ key } = account);
    const offline = await TestAgent.ready(service, accountId, [printer('o1')]);
    await service.advance(90 * SECOND);
    const revoked = await TestAgent.ready(service, accountId, []);
    await service.operate('POST', `/computers/${revoked.agent.computerId}/revoke`);
    const disabled = await TestAgent.ready(service, accountId, [printer('d1')]);
    await service.operate('POST', `/computers/${disabled.agent.computerId}/disable`);
    const pending = await TestAgent.enrol(service, accountId);
    const online = await TestAgent.ready(service, accountId, [
      printer('a'),
      printer('b'),
      printer('c', { online: false }),
      printer('gone'),
    ]);
    await online.agent.inventory([printer('a'), printer('b'), printer('c', { online: false })]);
    ids.offline = offline.agent.computerId;
    ids.revoked = revoked.agent.computerId;
    ids.disabled = disabled.agent.computerId;
    ids.pending = pending.computerId;
    ids.online = online.agent.computerId;
    const stranger = await openAccount(service);
    const { agent: theirs } = await TestAgent.ready(service, stranger.accountId);
    ids.theirs = theirs.computerId;
  });

  const list = (path: string) => service.call('GET', path, { as: key });
  const computers = async (query = '') =>
    itemsOf(await list(`/svc-api-computers${query}`)).map(({ computer_id }) => computer_id);
  const printers = async (query = '') =>
    itemsOf(await list(`/svc-api-printers${query}`)).map(({ name }) => name);

  it('shows all computers of the account, newest first, 25 at a time', async () => {
    const { body } = await list('/svc-api-computers');
    expect(body.code).toBe('SVC_OK');
    expect(body.data).toMatchObject({ count: 5, total: 5, limit: 25, offset: 0 });
    expect(await computers()).toEqual([ids.online, ids.pending, ids.disabled, ids.revoked, ids.offline]);
  });

  it('shows a computer as in the contract', async () => {
    const [online] = itemsOf(await list('/svc-api-computers?status=online'));
    expect(online).toEqual({
      contract: 'svc_device_v1',
      computer_id: ids.online,
      friendly_code: expect.stringMatching(/^PC-[0-9A-F]{8}$/),
      name: 'FRONT-DESK',
      hostname: 'FRONT-DESK',
      operating_system: 'Windows 11',
      agent_version: '1.0.0',
      status: 'online',
      last_seen_at: service.clock.now(),
      created_at: service.clock.now(),
      updated_at: service.clock.now(),
    });
  });

  it.each(['pending', 'online', 'offline', 'disabled', 'revoked'])(
    'filters the %s ones, with their total',
    async (status) => {
      const { body } = await list(`/svc-api-computers?status=${status}`);
      expect(body.data).toMatchObject({ count: 1, total: 1 });
      expect(await computers(`?status=${status}`)).toEqual([ids[status]]);
    },
  );

  it('pages by limit and offset, with the total of all pages', async () => {
    const { body } = await list('/svc-api-computers?limit=2&offset=1');
    expect(body.data).toMatchObject({ count: 2, total: 5, limit: 2, offset: 1 });
    expect(await computers('?limit=2&offset=1')).toEqual([ids.pending, ids.disabled]);
    expect(await computers('?offset=5')).toEqual([]);
    expect(await computers('?limit=100&offset=100000')).toEqual([]);
  });

  it('shows printers newest first, without removed ones', async () => {
    expect(await printers()).toEqual(['c', 'b', 'a', 'd1', 'o1']);
    expect((await list('/svc-api-printers')).body.data).toMatchObject({ count: 5, total: 5 });
  });

  it('shows removed ones on request', async () => {
    expect(await printers('?status=removed')).toEqual(['gone']);
  });

  it('filters printers by status and computer', async () => {
    expect(await printers('?status=online')).toEqual(['b', 'a']);
    expect(await printers('?status=offline')).toEqual(['c', 'o1']);
    expect(await printers('?status=disabled')).toEqual(['d1']);
    expect(await printers(`?computer_id=${ids.online}`)).toEqual(['c', 'b', 'a']);
    expect(await printers(`?computer_id=${ids.online!.toUpperCase()}&status=online`)).toEqual(['b', 'a']);
    expect(await printers(`?computer_id=${ids.online}&status=removed`)).toEqual(['gone']);
    expect(await printers(`?computer_id=${ids.pending}`)).toEqual([]);
    const { body } = await list(`/svc-api-printers?computer_id=${ids.online}&status=online&limit=1`);
    expect(body.data).toMatchObject({ count: 1, total: 2 });
  });

  it.each([
    ['/svc-api-computers?status=sleeping', 'status'],
    ['/svc-api-computers?limit=0', 'limit'],
    ['/svc-api-computers?limit=101', 'limit'],
    ['/svc-api-computers?limit=ten', 'limit'],
    ['/svc-api-computers?limit=', 'limit'],
    ['/svc-api-computers?limit=1.5', 'limit'],
    ['/svc-api-computers?limit=1&limit=2', 'limit'],
    ['/svc-api-computers?offset=-1', 'offset'],
    ['/svc-api-computers?offset=100001', 'offset'],
    ['/svc-api-computers?name=x', 'name'],
    ['/svc-api-computers?cursor=x', 'cursor'],
    ['/svc-api-printers?computer_id=x', 'computer_id'],
    ['/svc-api-printers?status=pending', 'status'],
    ['/svc-api-printers?status[]=online', 'status'],
    ['/svc-api-account?verbose=1', 'verbose'],
  ])('refuses %s and names the parameter', async (path, name) => {
    const refused = await list(path);
    expect(verdict(refused)).toBe('400 SVC_VALIDATION_FAILED');
    expect(refused.body.message).toContain(name);
  });
});
