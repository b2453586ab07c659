import { documentProcessesInMemory } from '../../../test/kit/fakes/document-process-in-memory.js';
import { FakeWindowsSpooler } from '../../../test/kit/fakes/fake-windows-spooler.js';
import { WinspoolPrinters } from './winspool-printers.js';

describe('asking drivers what they can do', () => {
  let spooler: FakeWindowsSpooler;
  let memory: ReturnType<typeof documentProcessesInMemory>;
  let printers: WinspoolPrinters;

  beforeEach(() => {
    spooler = new FakeWindowsSpooler(['desk', 'label', 'office']);
    memory = documentProcessesInMemory(spooler);
    printers = new WinspoolPrinters(spooler, undefined, memory.processes, undefined, 50);
  });

  const duplex = async () =>
    Object.fromEntries(
      (await printers.inventory()).map(({ name, capabilities }) => [name, capabilities.duplex]),
    );
  const asked = () => spooler.calls.filter((call) => call.startsWith('DeviceCapabilities')).length;

  it('shows their answers in the first inventory', async () => {
    const [desk] = await printers.inventory();
    expect(desk?.capabilities).toMatchObject({
      ...{ color: true, duplex: true, trays: ['Upper', 'Manual Feed'], resolutions_dpi: [100, 150] },
      margins_mm: { left: 6.4, top: 6.4 },
      options: expect.arrayContaining(['paper', 'duplex']),
    });
    expect(spooler.openHandles).toBe(0);
    expect(memory.started.some(({ isRunning }) => isRunning)).toBe(false);
  });

  it('asks again only when driver, port or settings of a queue have changed', async () => {
    await printers.inventory();
    await printers.inventory();
    expect(asked()).toBe(3);

    spooler.driver.facts = { ...spooler.driver.facts, duplex: false };
    spooler.settings = 'changed';
    expect(await duplex()).toEqual({ desk: false, label: false, office: false });
    expect(asked()).toBe(6);
  });

  it('goes on without a driver that hangs, fails or ends its process', async () => {
    spooler.hanging.add('DeviceCapabilities desk');
    spooler.failing.set('DeviceCapabilities label', 1722);
    expect(await duplex()).toEqual({ desk: null, label: null, office: true });
    expect(await duplex()).toEqual({ desk: null, label: null, office: true });

    expect(asked()).toBe(2);
    const [, label] = await printers.inventory();
    expect(label?.capabilities).toEqual({
      ...{ content_types: ['pdf', 'raw', 'text'], color: null, duplex: null, papers: [] },
    });
  });
});
