import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { HttpCaller } from './http-caller.js';
import type { InventoryPrinter, Report } from './protocol.js';
import { ServiceClient } from './service-client.js';

const facts = {
  ...{ installation_id: '0199aaaa-0000-7000-8000-000000000001', agent_version: '2.0.0' },
  ...{ operating_system: 'Linux', hostname: 'desk' },
};
const printer: InventoryPrinter = {
  ...{ printer_key: 'cups:desk', name: 'desk', is_default: true, is_virtual: false, online: true },
  device_identity: 'urn:uuid:1',
  capabilities: {
    ...{ content_types: ['pdf'], color: true, duplex: null, papers: ['iso_a4_210x297mm'] },
    ...{ trays: ['top'], resolutions_dpi: [600], options: ['paper'] },
    margins_mm: { top: 4, right: 4, bottom: 4, left: 4 },
  },
};
const report: Report = {
  ...{ event_id: '0199aaaa-0000-7000-8000-000000000002', job_id: 'j', lease_id: 'l', fence: 1 },
  ...{ type: 'spooled', occurred_at: '2026-11-25T12:00:00.000Z', spooler_job_id: '7' },
  ...{ applied: { paper: 'iso_a4_210x297mm' }, ignored: [{ option: 'tray', reason: 'none' }] },
};

describe('speaking with a service', () => {
  let server: Server;
  let http: HttpCaller;
  let knowsFeatures: boolean;
  let received: { path: string; body: Record<string, unknown>; traceparent: unknown }[];
  const signal = new AbortController().signal;

  beforeEach(async () => {
    received = [];
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const path = request.url ?? '';
        const body = JSON.parse(Buffer.concat(parts).toString()) as Record<string, unknown>;
        received.push({ path, body, traceparent: request.headers.traceparent });
        const isRefused = !knowsFeatures && ('features' in body || hasOptions(body));
        const answer = isRefused
          ? { code: 'INVALID_REQUEST', message: 'property features should not exist' }
          : { data: { session_id: 's', printers: [], results: resultsOf(body) } };
        response.writeHead(isRefused ? 400 : 200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const proxy = { httpProxy: '', httpsProxy: '', noProxy: '' };
    const credentials = { current: 'secret', refuse: () => false };
    http = new HttpCaller({ url, proxy }, credentials, pino({ level: 'silent' }));
  });
  afterEach(async () => {
    await http.close();
    await new Promise((resolve) => server.close(resolve));
  });

  const hasOptions = ({ printers = [] }: { printers?: InventoryPrinter[] }): boolean =>
    printers.some(({ capabilities }) => capabilities.options);
  const resultsOf = ({ events = [] }: { events?: Report[] }) =>
    events.map(({ event_id, applied }) => ({
      ...{ event_id, result: 'applied' },
      ...(!knowsFeatures && applied && { result: 'rejected', code: 'INVALID_REQUEST' }),
    }));
  const speak = async (): Promise<void> => {
    const client = new ServiceClient(http);
    await client.openSession(facts, [], undefined, signal);
    await client.putInventory([printer], signal);
    await client.report('s', [report], signal);
  };
  const bodies = (path: string): Record<string, unknown>[] =>
    received.filter((call) => call.path === path).map(({ body }) => body);

  it('tells a service that knows features its options, identities and receipts', async () => {
    knowsFeatures = true;
    await speak();

    expect(bodies('/sessions')).toEqual([
      expect.objectContaining({ features: expect.arrayContaining(['options/1']) }),
    ]);
    expect(bodies('/inventory')).toEqual([{ printers: [printer] }]);
    expect(bodies('/events')).toMatchObject([{ events: [report] }]);
  });

  it('opens a session without features at an older service, and keeps new fields from it', async () => {
    knowsFeatures = false;
    await speak();
    const { content_types, color, duplex, papers } = printer.capabilities;
    const { applied: _, ignored: __, ...older } = report;

    expect(bodies('/sessions').map((body) => 'features' in body)).toEqual([true, false]);
    expect(new Set(bodies('/sessions').map(({ start_id }) => start_id)).size).toBe(1);
    expect(bodies('/inventory')).toEqual([
      {
        printers: [
          {
            ...{ printer_key: 'cups:desk', name: 'desk', is_default: true, is_virtual: false, online: true },
            capabilities: { content_types, color, duplex, papers },
          },
        ],
      },
    ]);
    expect(bodies('/events')).toEqual([{ session_id: 's', events: [older] }]);
  });

  it('repeats what a service that was downgraded refuses without the new fields', async () => {
    knowsFeatures = true;
    const client = new ServiceClient(http);
    await client.openSession(facts, [], undefined, signal);
    knowsFeatures = false;
    const plain = { ...report, event_id: 'plain', applied: undefined, ignored: undefined };
    expect(await client.report('s', [plain, report], signal)).toEqual([
      { event_id: 'plain', result: 'applied' },
      { event_id: report.event_id, result: 'applied' },
    ]);
    await client.report('s', [report], signal);
    await client.putInventory([printer], signal);

    const { applied: _, ignored: __, ...older } = report;
    expect(bodies('/events').slice(1)).toEqual([1, 2].map(() => ({ session_id: 's', events: [older] })));
    expect(bodies('/inventory')).toHaveLength(1);
  });

  it('repeats an inventory that such a service refuses once', async () => {
    knowsFeatures = true;
    const client = new ServiceClient(http);
    await client.openSession(facts, [], undefined, signal);
    knowsFeatures = false;
    await client.putInventory([printer], signal);
    await client.putInventory([printer], signal);
    expect(bodies('/inventory').map((body) => hasOptions(body))).toEqual([true, false, false]);
  });

  it('names the trace of a report in the header, which older services pass over', async () => {
    knowsFeatures = true;
    const client = new ServiceClient(http);
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await client.report('s', [{ ...report, traceparent }], signal);
    await client.report('s', [report], signal);
    expect(received.map((call) => call.traceparent)).toEqual([traceparent, undefined]);
    expect(bodies('/events')).toEqual([1, 2].map(() => ({ session_id: 's', events: [report] })));
  });

  it('names its features again at the next session, because the service may be upgraded', async () => {
    knowsFeatures = false;
    const client = new ServiceClient(http);
    await client.openSession(facts, [], undefined, signal);
    knowsFeatures = true;
    await client.openSession(facts, [], undefined, signal);
    await client.putInventory([printer], signal);

    expect(bodies('/inventory')).toEqual([{ printers: [printer] }]);
  });
});
