import { WORK_OFFLINE } from './job-status.js';
import type { QueueInfo } from './spooler-api.js';
import { inventoryPrinterOf } from './winspool-queues.js';

describe('reading a Windows queue', () => {
  const read = (more: Partial<QueueInfo> = {}): ReturnType<typeof inventoryPrinterOf> =>
    inventoryPrinterOf(
      'winspool',
      { name: 'Büro 2', port: 'USB001', driver: 'Office 9000', attributes: 0, status: 0, ...more },
      'Büro 2',
    );

  it('lists it under its name, by which Windows identifies it', () => {
    expect(read()).toEqual({
      ...{ printer_key: 'winspool:Büro 2', name: 'Büro 2', driver: 'Office 9000', port: 'USB001' },
      ...{ is_default: true, is_virtual: false, online: true },
      capabilities: { content_types: ['pdf', 'raw', 'text'], color: null, duplex: null, papers: [] },
    });
    expect(read({ name: '\\\\server\\desk' })).toMatchObject({
      printer_key: 'winspool:\\\\server\\desk',
      is_default: false,
    });
  });

  it.each<[Partial<QueueInfo>, boolean]>([
    [{}, true],
    [{ status: 0x400 }, true],
    [{ status: 0x1 }, false],
    [{ status: 0x80 }, false],
    [{ status: 0x1000 }, false],
    [{ attributes: WORK_OFFLINE }, false],
  ])('with %j is online: %s', (more, online) => {
    expect(read(more)?.online).toBe(online);
  });

  it.each<[Partial<QueueInfo>]>([
    [{ port: 'PORTPROMPT:' }],
    [{ port: 'nul:' }],
    [{ driver: 'Microsoft Print To PDF' }],
  ])('with %j is virtual', (more) => {
    expect(read(more)?.is_virtual).toBe(true);
  });

  it.each(['PORTPROMPT:', 'FILE:'])('is unusable with the port %s, which asks for a file name', (port) => {
    expect(read({ port })).toMatchObject({ online: false, trouble: expect.stringContaining(port) });
    expect(read()?.trouble).toBeUndefined();
  });

  it('is recognised by the address of its port', () => {
    const ids = ['IP_10.0.0.7', '10.0.0.7_1', 'USB001', 'nul:'].map(
      (port) => read({ port })?.device_identity,
    );
    expect(ids).toEqual(['IP_10.0.0.7', '10.0.0.7_1', undefined, undefined]);
  });

  it('omits a driver and a port without a name', () => {
    expect(read({ driver: '', port: '' })).toMatchObject({ driver: undefined, port: undefined });
  });
});
