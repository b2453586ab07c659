import { until } from '../kit/polling.js';
import { randomUUID } from 'node:crypto';
import { serviceForAll } from '../kit/service.js';
import { createJob, onePrinter, openAccount, TestAgent } from '../kit/world.js';
import { itemsOf, MINUTE, verdict } from './asking.js';

const printer = (printer_key: string, more: object = {}) => ({ ...onePrinter, printer_key, ...more });

describe('reporting the inventory', () => {
  const service = serviceForAll();
  let accountId: string;
  let key: string;
  let agent: TestAgent;
  beforeEach(async () => {
    ({ accountId, key } = await openAccount(service));
    agent = await TestAgent.enrol(service, accountId);
    await agent.start();
  });

  const printers = async (query = '') =>
    itemsOf(await service.call('GET', `/svc-api-printers${query}`, { as: key }));
  const put = (reported: readonly object[]) =>
    agent.call('PUT', '/inventory', { json: { printers: reported } });
  /** Repeats what takes a slow machine too long, as Agents do. */
  const putMany = (reported: readonly object[]) =>
    until('the inventory', MINUTE, async () => {
      const answered = await put(reported);
      return answered.status === 503 ? undefined : answered;
    });
  const eventTypes = async () => {
    const stream = await service.operate('GET', `/streams/computer-${agent.computerId}`);
    return (stream.items as { type: string }[]).map(({ type }) => type).slice(3);
  };

  it('gives each printer an id, a code and its enabled flag', async () => {
    const { status, body } = await put([printer('a'), printer('b')]);
    expect(status).toBe(200);
    expect(body.data!.printers).toEqual(
      ['a', 'b'].map((printer_key) => ({
        printer_key,
        printer_id: expect.any(String),
        printer_code: expect.stringMatching(/^PR-[0-9A-F]{8}$/),
        enabled: true,
      })),
    );
  });

  it('takes a list with more than fits into one append, in parts', async () => {
    const papers = Array.from({ length: 60 }, (_, n) => `custom_${n}_`.padEnd(40, 'x'));
    const capabilities = { content_types: ['pdf'], papers };
    const all = Array.from({ length: 300 }, (_, n) => printer(`many-${n}`, { capabilities }));
    const known: number[] = [];
    for (let isComplete = false; !isComplete; service.clock.advance(MINUTE)) {
      const { status, body } = await putMany(all);
      expect(status).toBe(200);
      isComplete = body.data!.complete === true;
      known.push((body.data!.printers as object[]).length);
      expect(known.length).toBeLessThan(4);
    }
    expect(known.at(0)).toBeGreaterThan(100);
    expect(known.at(-1)).toBe(300);
  });

  it('shows a printer as in the contract', async () => {
    const [printerId] = await agent.inventory([
      printer('a', { name: 'Laser ☃', driver: 'PCL 6', port: 'USB001', is_virtual: false }),
    ]);
    expect(await printers()).toEqual([
      {
        contract: 'svc_printer_v1',
        printer_id: printerId,
        printer_code: expect.stringMatching(/^PR-[0-9A-F]{8}$/),
        computer_id: agent.computerId,
        computer_name: 'FRONT-DESK',
        name: 'Laser ☃',
        driver: 'PCL 6',
        port: 'USB001',
        is_default: true,
        is_virtual: false,
        enabled: true,
        status: 'online',
        last_seen_at: service.clock.now(),
        updated_at: service.clock.now(),
      },
    ]);
  });

  it('removes a missing printer and reuses its id when it returns', async () => {
    const [stays, goes] = await agent.inventory([printer('a'), printer('b')]);
    await put([printer('a')]);
    expect((await printers()).map(({ printer_id }) => printer_id)).toEqual([stays]);
    expect(await printers('?status=removed')).toEqual([
      expect.objectContaining({ printer_id: goes, status: 'removed' }),
    ]);
    expect(verdict(await createJob(service, key, goes!))).toBe('409 SVC_PRINTER_NOT_READY');
    const [, back] = await agent.inventory([printer('a'), printer('b')]);
    expect(back).toBe(goes);
    expect(await printers('?status=removed')).toEqual([]);
    expect((await createJob(service, key, back!)).status).toBe(201);
  });

  it('accepts 500 printers, and then 500 others', async () => {
    const named = (prefix: string) => Array.from({ length: 500 }, (_, n) => printer(`${prefix}-${n}`));
    const { body } = await putMany(named('x'));
    const first = body.data!.printers as { printer_id: string }[];
    expect(new Set(first.map(({ printer_id }) => printer_id)).size).toBe(500);
    // On server stores the views may need longer for this many events than an answer waits.
    const listed = await until('500 printers', 20_000, async () => {
      const page = await service.call('GET', '/svc-api-printers?limit=100&offset=400', { as: key });
      return page.body.data!.total === 500 ? page : undefined;
    });
    expect(listed.body.data).toMatchObject({ count: 100 });
    const codes = itemsOf(listed).map(({ printer_code }) => printer_code);
    expect(new Set(codes).size).toBe(100);
    await service.advance(MINUTE);
    await putMany(named('y'));
    await until('500 removed printers', 20_000, async () => {
      const gone = await service.call('GET', '/svc-api-printers?status=removed', { as: key });
      return gone.body.data!.total === 500 || undefined;
    });
  });

  it('renames a printer once a minute, and requests its newest name afterwards', async () => {
    const rename = (name: string) => put([printer('a', { name })]);
    const nameNow = async () => (await printers())[0]!.name;
    await put([printer('a')]);
    expect((await rename('First')).body.data).toMatchObject({ complete: true });
    expect((await rename('Second')).body.data).toMatchObject({ complete: false });
    await rename('Third');
    expect(await nameNow()).toBe('First');
    expect((await agent.heartbeat()).body.data).toMatchObject({ resync_inventory: false });
    await service.advance(MINUTE);
    expect((await agent.heartbeat()).body.data).toMatchObject({ resync_inventory: true });
    expect((await rename('Third')).body.data).toMatchObject({ complete: true });
    expect(await nameNow()).toBe('Third');
    expect((await agent.heartbeat()).body.data).toMatchObject({ resync_inventory: false });
    expect((await eventTypes()).filter((type) => type === 'PrinterUpdated')).toHaveLength(2);
  });

  it('changes at most 1,000 printers a minute, and leaves out the answers for the others', async () => {
    const named = (prefix: string) => Array.from({ length: 500 }, (_, n) => printer(`${prefix}-${n}`));
    await putMany(named('x'));
    const { body } = await putMany(named('y'));
    expect(body.data).toEqual({ printers: [], complete: false });
    await service.advance(MINUTE);
    expect((await putMany(named('y'))).body.data).toMatchObject({ complete: true });
    await until('a printer that is online', 20_000, async () => {
      const [shown] = await printers('?limit=1');
      return shown?.status === 'online' || undefined;
    });
  });

  it.each<[string, object[]]>([
    ['printers', Array.from({ length: 501 }, (_, n) => printer(`${n}`))],
    ['printer_key', [printer('a'), printer('a')]],
    ['printer_key', [printer('')]],
    ['printer_key', [printer('x'.repeat(201))]],
    ['name', [printer('a', { name: '' })]],
    ['name', [printer('a', { name: 'x'.repeat(181) })]],
    ['name', [printer('a', { name: 'bell \u0007' })]],
    ['online', [printer('a', { online: 'yes' })]],
    ['is_default', [printer('a', { is_default: undefined })]],
    ['colour', [printer('a', { colour: true })]],
    ['content_types', [printer('a', { capabilities: { content_types: ['gif'] } })]],
    ['papers', [printer('a', { capabilities: { content_types: [], papers: Array(101).fill('A4') } })]],
    ['papers', [printer('a', { capabilities: { content_types: [], papers: ['x'.repeat(121)] } })]],
  ])('refuses a wrong %s and changes nothing', async (field, reported) => {
    await put([printer('kept')]);
    const refused = await put(reported);
    expect(verdict(refused)).toBe('400 INVALID_REQUEST');
    expect(refused.body.message).toContain(field);
    expect((await printers()).map(({ name }) => name)).toEqual(['Till 1']);
  });

  it('answers 401 to the agent of a revoked computer', async () => {
    await put([printer('a')]);
    await service.operate('POST', `/computers/${agent.computerId}/revoke`);
    expect(verdict(await put([printer('a')]))).toBe('401 CREDENTIAL_INVALID');
    expect((await printers('?status=disabled'))[0]).toMatchObject({ status: 'disabled', enabled: true });
    const again = await TestAgent.enrol(service, accountId, randomUUID());
    expect(again.computerId).not.toBe(agent.computerId);
  });

  it('keeps id, code and jobs of a printer through 20 renames and re-plugs', async () => {
    const device_identity = 'usb:A1B2C3';
    const [printerId] = await agent.inventory([printer('q-0', { device_identity })]);
    const { printer_code } = (await printers())[0]!;
    const { body: job } = await createJob(service, key, printerId!);
    for (let n = 1; n <= 20; n++) {
      if (n % 2 === 0) await agent.inventory([]); // Unplugged.
      const renamed = printer(`q-${n}`, { name: `Label ${n}`, device_identity });
      expect(await agent.inventory([renamed])).toEqual([printerId]);
    }
    const [lease] = await agent.lease();

    expect(await printers()).toMatchObject([{ printer_id: printerId, printer_code, status: 'online' }]);
    expect(lease).toMatchObject({ job_id: job.data!.job_id, printer_key: 'q-20' });
  });

  it('gives another printer under an older key a code of its own', async () => {
    const [first] = await agent.inventory([printer('a', { device_identity: 'usb:1' })]);
    await agent.inventory([printer('b', { device_identity: 'usb:1' })]);
    const ids = await agent.inventory([
      printer('a', { device_identity: 'usb:2' }),
      printer('b', { device_identity: 'usb:1' }),
    ]);

    expect(ids[1]).toBe(first);
    expect(ids[0]).not.toBe(first);
    expect(new Set((await printers()).map(({ printer_code }) => printer_code)).size).toBe(2);
  });
});
