import { queueOf } from './cups-queues.js';
import { sightingOf } from '../ipp/job-states.js';
import type { IppAttributes } from '../ipp/ipp-message.js';

const attributes = (values: Record<string, unknown>): IppAttributes =>
  new Map(Object.entries(values).map(([name, value]) => [name, [value].flat()])) as IppAttributes;

describe('reading a CUPS job', () => {
  const job = (values: Record<string, unknown>): ReturnType<typeof sightingOf> =>
    sightingOf(attributes({ 'job-id': 7, 'number-of-documents': 1, 'time-at-processing': null, ...values }));

  it.each([
    [3, 'waiting'],
    [4, 'waiting'],
    [5, 'printing'],
    [6, 'printing'],
    [7, 'cancelled'],
    [8, 'aborted'],
    [9, 'completed'],
  ])('maps job-state %s to %s', (state, expected) => {
    expect(job({ 'job-state': state }).state).toBe(expected);
  });

  it('derives from the processing time whether pages may have been printed', () => {
    expect(job({ 'job-state': 7 })).toMatchObject({ started: false });
    expect(job({ 'job-state': 7, 'time-at-processing': 1_795_000_000 })).toMatchObject({ started: true });
  });

  it('recognises a waiting job without a document, and ignores the document count of an ended job', () => {
    expect(job({ 'job-state': 4, 'number-of-documents': 0 })).toEqual({ state: 'empty', spoolerJobId: '7' });
    expect(job({ 'job-state': 7, 'number-of-documents': 0 }).state).toBe('cancelled');
  });
});

describe('reading a CUPS queue', () => {
  const queue = (values: Record<string, unknown>): ReturnType<typeof queueOf> =>
    queueOf('cups', attributes({ 'printer-name': 'desk', 'printer-state': 3, ...values }));

  it.each([
    ['abort-job', '/printers/desk', false],
    ['stop-printer', '/printers/desk', false],
    ['retry-job', '/printers/desk', true],
    ['retry-current-job', '/printers/desk', true],
    ['retry-current-job', '/classes/desk', false],
  ])('tells whether it repeats failed jobs: %s of %s', (policy, path, repeats) => {
    const address = { 'printer-uri-supported': `ipp://host:631${path}` };
    expect(queue({ ...address, 'printer-error-policy': policy })?.repeats).toBe(repeats);
  });

  it('lists its capabilities', () => {
    const found = queue({
      'printer-uri-supported': 'ipp://host:631/classes/desk',
      'printer-type': 0x20004,
      'printer-make-and-model': 'Office 9000',
      'document-format-supported': ['application/pdf', 'text/plain'],
      'color-supported': false,
      'sides-supported': ['one-sided', 'two-sided-long-edge'],
      'media-supported': Array.from({ length: 150 }, (_, n) => `paper-${n}`),
    });
    expect(found?.path).toBe('/classes/desk');
    expect(found?.printer).toMatchObject({
      printer_key: 'cups:desk',
      driver: 'Office 9000',
      is_default: true,
    });
    expect(found?.printer.capabilities).toMatchObject({
      content_types: ['pdf', 'raw', 'text'],
      color: false,
      duplex: true,
    });
    expect(found?.printer.capabilities.papers).toHaveLength(150); // Cut for all providers (presentable.ts).
  });

  it('lists the ends of a range of sizes first, because an inventory is cut', () => {
    const [min, max] = ['custom_min_25x25mm', 'custom_max_105x999mm'];
    const found = queue({ 'media-supported': ['iso_a4_210x297mm', 'iso_a5_148x210mm', min, max] });
    expect(found?.printer.capabilities.papers).toEqual([min, max, 'iso_a4_210x297mm', 'iso_a5_148x210mm']);
  });

  it.each([
    [{}, true],
    [{ 'printer-state': 5 }, false],
    [{ 'printer-is-accepting-jobs': false }, false],
    [{ 'printer-state-reasons': ['offline-report'] }, false],
    [{ 'printer-state-reasons': ['none'] }, true],
  ])('with %j is online: %s', (values, online) => {
    expect(queue(values)?.printer.online).toBe(online);
  });

  it('removes a login from the device address', () => {
    expect(queue({ 'device-uri': 'smb://anna:secret@server/desk' })?.printer.port).toBe('smb://server/desk');
    expect(queue({ 'device-uri': 'socket://10.0.0.7:9100' })?.printer.port).toBe('socket://10.0.0.7:9100');
    const id = (device: string) => queue({ 'device-uri': device })?.printer.device_identity;
    const usb = 'usb://Zebra/ZD420?serial=A1B2';
    const devices = [
      usb,
      'usb://Zebra/ZD420',
      'socket://10.0.0.7:9100',
      'ipp://me:secret@office/ipp',
      '///dev/null',
    ];
    expect(devices.map(id)).toEqual([
      usb,
      undefined,
      'socket://10.0.0.7:9100',
      'ipp://office/ipp',
      undefined,
    ]);
  });
});
