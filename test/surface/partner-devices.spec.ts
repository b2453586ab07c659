import { TestPartner } from '../kit/partner.js';
import { withinASecond } from '../kit/polling.js';
import { serviceForAll } from '../kit/service.js';
import { onePrinter, TestAgent } from '../kit/world.js';

const printers = [
  onePrinter,
  {
    ...onePrinter,
    printer_key: 'till-2',
    name: 'Till 2',
    is_default: false,
    online: false,
    capabilities: undefined,
  },
];

describe('devices and printers of a partner', () => {
  const service = serviceForAll();
  let partner: TestPartner;
  let accountId: string;
  beforeAll(async () => {
    partner = await TestPartner.open(service);
  });
  beforeEach(async () => {
    accountId = await partner.account();
  });

  const ids = (items: readonly Record<string, unknown>[], field: string) => items.map((item) => item[field]);
  const path = (rest: string) => `/accounts/${accountId}${rest}`;

  describe('listing devices', () => {
    it('shows exactly the fields of the contract', async () => {
      const { agent } = await TestAgent.ready(service, accountId, printers);
      expect(await partner.list(path('/devices'))).toEqual([
        {
          device_id: agent.computerId,
          friendly_code: expect.stringMatching(/^PC-[0-9A-F]{8}$/),
          display_name: 'FRONT-DESK',
          hostname: 'FRONT-DESK',
          operating_system: 'Windows 11',
          agent_version: '1.0.0',
          status: 'online',
          raw_status: 'online',
          last_seen_at: service.clock.now(),
          printer_count: 2,
          created_at: service.clock.now(),
        },
      ]);
    });

    it('shows null for values never reported', async () => {
      await TestAgent.enrol(service, accountId);
      const [device] = await partner.list(path('/devices'));
      expect(device).toMatchObject({ operating_system: null, agent_version: null, raw_status: 'pending' });
    });

    it('filters by status: pending, offline and disabled count as offline', async () => {
      const pending = await TestAgent.enrol(service, accountId);
      const { agent: online } = await TestAgent.ready(service, accountId);
      const { agent: disabled } = await TestAgent.ready(service, accountId);
      const { agent: revoked } = await TestAgent.ready(service, accountId);
      await service.operate('POST', `/computers/${disabled.computerId}/disable`);
      await partner.call('POST', path(`/devices/${revoked.computerId}/deactivate`));
      const of = async (status: string) =>
        ids(await partner.list(path(`/devices?status=${status}`)), 'device_id');
      expect(await of('online')).toEqual([online.computerId]);
      expect(await of('offline')).toEqual([disabled.computerId, pending.computerId]);
      expect(await of('revoked')).toEqual([revoked.computerId]);
      expect(await partner.list(path('/devices'))).toHaveLength(4);
    });
  });

  describe('deactivating a device', () => {
    it('revokes it, its credential and its session; a repeat writes nothing', async () => {
      const { agent } = await TestAgent.ready(service, accountId);
      const deactivate = path(`/devices/${agent.computerId}/deactivate`);
      const { status, body } = await partner.call('POST', deactivate, { json: { reason: 'till replaced' } });
      expect([status, body.code]).toEqual([200, 'DEVICE_DEACTIVATED']);
      expect(body.data).toMatchObject({
        device_id: agent.computerId,
        status: 'revoked',
        raw_status: 'revoked',
      });
      const events = await service.stores.events.load(`computer-${agent.computerId}`);
      expect((await partner.call('POST', deactivate)).body.data).toEqual(body.data);
      expect(await service.stores.events.load(`computer-${agent.computerId}`)).toEqual(events);
      expect(events.map(({ type, data }) => type === 'ComputerRevoked' && data).filter(Boolean)).toEqual([
        { reason: 'till replaced' },
      ]);
      await withinASecond(async () => (await agent.heartbeat()).status === 401);
      const [printer] = await partner.list(path('/printers'));
      expect(printer).toMatchObject({ status: 'disabled', enabled: true, device_status: 'revoked' });
    });

    it.each(['', 'too short', 'x'.repeat(501), 7])('refuses the reason %j', async (reason) => {
      const { computerId } = await TestAgent.enrol(service, accountId);
      const deactivate = path(`/devices/${computerId}/deactivate`);
      const { status, body } = await partner.call('POST', deactivate, { json: { reason } });
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(body.message).toContain('reason');
    });
  });

  describe('listing printers', () => {
    it('shows exactly the fields of the contract', async () => {
      const { agent, printerIds } = await TestAgent.ready(service, accountId, printers);
      expect(await partner.list(path('/printers'))).toEqual([
        {
          printer_id: printerIds[1],
          device_id: agent.computerId,
          system_name: 'Till 2',
          alias: null,
          display_name: 'Till 2',
          enabled: true,
          status: 'offline',
          raw_status: 'offline',
          device_status: 'online',
          is_default: false,
          last_seen_at: service.clock.now(),
          capabilities: null,
        },
        expect.objectContaining({
          printer_id: printerIds[0],
          status: 'online',
          capabilities: { content_types: ['pdf', 'raw', 'text'], color: null, duplex: null, papers: ['A4'] },
        }),
      ]);
    });

    it('filters by any combination of status, device and enabled', async () => {
      const { agent, printerIds } = await TestAgent.ready(service, accountId, printers);
      const other = await TestAgent.ready(service, accountId);
      await partner.call('PATCH', path(`/printers/${other.printerId}`), { json: { enabled: false } });
      const of = async (query: string) => ids(await partner.list(path(`/printers?${query}`)), 'printer_id');
      expect(await of('enabled=false')).toEqual([other.printerId]);
      expect(await of('status=disabled')).toEqual([other.printerId]);
      expect(await of('enabled=true&status=online')).toEqual([printerIds[0]]);
      expect(await of(`device_id=${agent.computerId.toUpperCase()}`)).toEqual([printerIds[1], printerIds[0]]);
      expect(await of(`device_id=${other.agent.computerId}&enabled=true`)).toEqual([]);
      await agent.inventory([printers[0]!]);
      expect(await of('status=removed')).toEqual([printerIds[1]]);
      expect(await partner.list(path('/printers'))).toHaveLength(2);
    });

    it.each([
      ['status=gone', 400],
      ['enabled=yes', 400],
      ['device_id=7', 400],
      ['colour=red', 400],
      ['status=online&status=offline', 400],
      ['device_id=01990000-0000-7000-8000-00000000ffff', 404],
    ])('answers ?%s with %d', async (query, status) => {
      expect((await partner.call('GET', path(`/printers?${query}`))).status).toBe(status);
    });
  });

  describe('updating a printer', () => {
    let printerId: string;
    beforeEach(async () => {
      ({ printerId } = await TestAgent.ready(service, accountId));
    });
    const update = (json: object) => partner.call('PATCH', path(`/printers/${printerId}`), { json });

    it('renames it, and restores the detected name for an empty one', async () => {
      const named = await update({ display_name: 'Front till' });
      expect([named.status, named.body.code]).toEqual([200, 'PRINTER_UPDATED']);
      expect(named.body.data).toMatchObject({
        alias: 'Front till',
        display_name: 'Front till',
        system_name: 'Till 1',
      });
      expect((await update({ display_name: '' })).body.data).toMatchObject({
        alias: null,
        display_name: 'Till 1',
      });
    });

    it('disables it, so that it accepts no jobs, and enables it', async () => {
      expect((await update({ enabled: false })).body.data).toMatchObject({
        enabled: false,
        status: 'disabled',
      });
      const refused = await partner.print(accountId, printerId);
      expect([refused.status, refused.body.code]).toEqual([409, 'PRINTER_NOT_READY']);
      expect((await update({ enabled: true })).body.data).toMatchObject({ enabled: true, status: 'online' });
      expect((await partner.print(accountId, printerId)).status).toBe(201);
    });

    it.each([
      [{}, 'enabled or display_name'],
      [{ enabled: 'yes' }, 'enabled'],
      [{ display_name: 'x'.repeat(181) }, 'display_name'],
      [{ display_name: 'a\u0007b' }, 'display_name'],
      [{ display_name: null }, 'display_name'],
      [{ enabled: true, status: 'online' }, 'status'],
    ])('refuses %j and names the field', async (json, field) => {
      const { status, body } = await update(json);
      expect([status, body.code]).toEqual([400, 'INVALID_REQUEST']);
      expect(body.message).toContain(field);
    });
  });
});
