import type { ComputerEvent } from '../../src/contexts/devices/domain/computer.events.js';
import { plus } from '../../src/kernel/time.js';
import * as pc from '../../test/kit/examples/devices.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded } from '../../test/kit/recorded.js';
import { partnerPrinterResource } from '../../src/api/partner/printers/printers.controller.js';
import { printerResource } from '../../src/api/resources/printer.resource.js';
import type { PrinterDocument } from './printers.js';
import { printersProjection } from './printers.projection.js';

const after = (...events: ComputerEvent[]) =>
  project(printersProjection, recorded(pc.COMPUTER_STREAM, ...events)).get(pc.PRINTER_ID);

const found: PrinterDocument = {
  printer_id: pc.PRINTER_ID,
  account_id: pc.ACCOUNT_ID,
  computer_id: pc.COMPUTER_ID,
  computer_name: 'RECEPTION',
  printer_code: 'PR-00000001',
  printer_key: 'queue-1',
  name: 'Queue 1',
  system_name: 'Queue 1',
  alias: null,
  driver: 'Generic',
  port: 'USB001',
  is_default: true,
  is_virtual: false,
  enabled: true,
  status: 'offline',
  raw_status: 'online',
  capabilities: { content_types: ['pdf', 'raw'], color: false, duplex: null, papers: ['A4'] },
  created_at: NOON,
  updated_at: NOON,
  sequence: 0,
};
const second = { updated_at: plus(NOON, 1000), sequence: 1 };

describe('showing a printer', () => {
  it('is offline when it is detected', () => {
    expect(after(pc.detected())).toEqual(found);
  });

  it.each<[ComputerEvent, Partial<PrinterDocument>]>([
    [pc.printerOnline('offline'), { status: 'online' }],
    [pc.printerOffline('online', 1, false), { status: 'offline', raw_status: 'offline' }],
    [pc.printerDisabled('offline'), { status: 'disabled' }],
    [pc.printerRemoved('offline'), { status: 'removed' }],
    [pc.updated({ enabled: false }), { enabled: false, status: 'disabled' }],
    [pc.updated({ reportedOnline: false }), { raw_status: 'offline' }],
    [pc.updated({ alias: 'Till 1' }), { alias: 'Till 1', name: 'Till 1' }],
    [pc.updated({ systemName: 'Desk' }), { system_name: 'Desk', name: 'Desk' }],
    [pc.updated({ driver: null, port: null }), { driver: null, port: null }],
    [pc.updated({ isDefault: false, isVirtual: true }), { is_default: false, is_virtual: true }],
    [pc.updated({ capabilities: null }), { capabilities: null }],
    [
      pc.updated({ text: { encoding: 'cp858', line_ending: 'crlf', mode: 'raw', cut_after: false } }),
      { text_encoding: 'cp858', line_ending: 'crlf', text_mode: 'raw', cut_after: false },
    ],
    [
      pc.sessionStarted({ name: 'LOBBY', hostname: 'LOBBY', renames: [pc.PRINTER_ID] }),
      { computer_name: 'LOBBY' },
    ],
    [pc.reenrolled({ name: 'Front', renames: [pc.PRINTER_ID] }), { computer_name: 'Front' }],
  ])('follows %j', (event, changes) => {
    expect(after(pc.detected(), event)).toEqual({ ...found, ...changes, ...second });
  });

  it('keeps the display name when the detected name changes, and the reverse', () => {
    const aliased = [pc.detected(), pc.updated({ alias: 'Till 1' })];
    const renamed = [...aliased, pc.updated({ systemName: 'Desk' })];
    expect(after(...renamed)).toMatchObject({ name: 'Till 1', system_name: 'Desk' });
    expect(after(...renamed, pc.updated({ alias: null }))).toMatchObject({ name: 'Desk', alias: null });
  });

  it('is never both enabled and unable to accept jobs', () => {
    const disabled = [pc.detected(), pc.updated({ enabled: false }), pc.printerDisabled('offline')];
    const on = { enabled: true, status: 'online' };
    expect(after(...disabled, pc.printerOnline('disabled'))).toMatchObject(on);
    expect(after(...disabled, pc.printerOnline('disabled'), pc.updated({ enabled: true }))).toMatchObject(on);
    expect(after(...disabled, pc.updated({ enabled: true }), pc.printerOnline('disabled'))).toMatchObject(on);
    const removed = [pc.detected(), pc.printerRemoved('offline'), pc.updated({ enabled: false })];
    expect(after(...removed)).toMatchObject({ enabled: false, status: 'removed' });
  });

  it('is unaffected by changes of its computer', () => {
    expect(after(pc.detected(), pc.sessionStarted(), pc.reenrolled(), pc.cameOnline)).toEqual(found);
  });
});

describe('answering with a printer', () => {
  it('shows capabilities on the Integration API once the Agent names options', () => {
    const capabilities = {
      ...{ contentTypes: ['pdf'] as const, color: null, duplex: true, papers: [], trays: ['main'] },
      ...{ resolutionsDpi: [300], margins: { top: 1, right: 2, bottom: 3, left: 4 }, options: ['tray'] },
    };
    const printer = after(pc.detected(), pc.updated({ capabilities }))!;
    expect(printerResource(printer, undefined).capabilities).toEqual({
      ...{ content_types: ['pdf'], color: null, duplex: true, papers: [], trays: ['main'] },
      ...{ resolutions_dpi: [300], margins_mm: { top: 1, right: 2, bottom: 3, left: 4 }, options: ['tray'] },
    });
    const { options: _options, ...older } = capabilities;
    const before = after(pc.detected(), pc.updated({ capabilities: older }))!;
    expect(printerResource(before, undefined)).not.toHaveProperty('capabilities');
  });

  it('follows the name that a person gave its computer', () => {
    const renamed = pc.renamed('Counter', 'Counter', [pc.PRINTER_ID]);
    expect(after(pc.detected(), renamed)).toMatchObject({ computer_name: 'Counter' });
  });

  it('shows a pause only while it lasts', () => {
    const paused = after(pc.detected(), pc.updated({ paused: true }))!;
    expect(printerResource(paused, undefined)).toMatchObject({ paused: true });
    const resumed = after(pc.detected(), pc.updated({ paused: true }), pc.updated({ paused: false }))!;
    expect(printerResource(resumed, undefined)).not.toHaveProperty('paused');
  });

  it('shows partners both names and both statuses', () => {
    const aliased = { ...found, alias: 'Till 1', name: 'Till 1' };
    expect(partnerPrinterResource(aliased, { status: 'offline', lastSeenAt: undefined })).toEqual({
      printer_id: pc.PRINTER_ID,
      device_id: pc.COMPUTER_ID,
      system_name: 'Queue 1',
      alias: 'Till 1',
      display_name: 'Till 1',
      enabled: true,
      status: 'offline',
      raw_status: 'online',
      device_status: 'offline',
      is_default: true,
      last_seen_at: null,
      capabilities: found.capabilities,
    });
  });
});
