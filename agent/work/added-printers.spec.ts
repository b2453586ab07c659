import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { RawPrinter } from '../../test/kit/raw-printer.js';
import { DirectPrinters } from '../printers/direct/direct-printers.js';
import type { ServiceClient } from '../service/service-client.js';
import { StateFolder } from '../state/state-folder.js';
import { AddedPrinters } from './added-printers.js';

describe('printers that the service adds', () => {
  let folder: string;
  let device: RawPrinter;
  let fetched: number;
  let changes: number;
  let printers: { name: string; address: string }[];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'added-'));
    device = await RawPrinter.start();
    fetched = 0;
    changes = 0;
    printers = [{ name: 'Label', address: device.address }];
  });
  afterEach(async () => {
    await device.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** One run of the Agent on the same state folder. */
  const started = async (answer?: ServiceClient['addedPrinters'], limitMs?: number) => {
    const direct = await DirectPrinters.open(join(folder, 'direct'), []);
    const addedPrinters = () => Promise.resolve({ version: `v${++fetched}`, printers });
    const client = { addedPrinters: answer ?? addedPrinters } as unknown as ServiceClient;
    const log = pino({ level: 'silent' });
    const added = new AddedPrinters(
      direct,
      client,
      await StateFolder.open(folder),
      log,
      () => void changes++,
      limitMs,
    );
    await added.restore();
    const learn = (version: string | undefined) => added.learn(version, new AbortController().signal);
    const keys = async () =>
      (await direct.inventory()).map(({ printer_key, online }) => [printer_key, online]);
    return { direct, learn, keys };
  };

  it('are listed in the inventory once the list has changed', async () => {
    const { learn, keys } = await started();
    await learn(undefined);
    expect(await keys()).toEqual([]);
    await learn('v1');
    expect(await keys()).toEqual([['direct:Label', true]]);
    await learn('v1');
    expect([fetched, changes]).toEqual([1, 1]);
  });

  it('are there before the service answers the next start', async () => {
    await (await started()).learn('v1');
    expect(await (await started()).keys()).toEqual([['direct:Label', true]]);
  });

  it('are asked for again after no answer in time, and once at a time', async () => {
    let asked = 0;
    const never: ServiceClient['addedPrinters'] = (signal) => {
      asked++;
      return new Promise((_, refuse) => signal.addEventListener('abort', () => refuse(new Error('late'))));
    };
    const { learn, keys } = await started(never, 1);
    await Promise.all([learn('v1'), learn('v1')]);
    expect(asked).toBe(1);
    await learn('v1');
    expect([asked, await keys()]).toEqual([2, []]);
  });

  it('are gone when the service takes them back', async () => {
    const { learn, keys } = await started();
    await learn('v1');
    printers = [];
    await learn('v2');
    expect(await keys()).toEqual([]);
  });

  it('never make the Agent write to a file', async () => {
    printers = [{ name: 'Evil', address: `file:${join(folder, 'installation.json')}` }];
    const { direct, learn, keys } = await started();
    await learn('v1');
    expect(await keys()).toEqual([['direct:Evil', false]]);
    expect((await direct.inventory())[0]?.trouble).toContain('no files');
  });

  it('keep the identity of the device under another name', async () => {
    const { direct, learn } = await started();
    await learn('v1');
    const [before] = await direct.inventory();
    printers = [{ name: 'Label 2', address: `${device.address}?status=none` }];
    await learn('v2');
    const [after] = await direct.inventory();
    expect([before?.device_identity, after?.printer_key]).toEqual([after?.device_identity, 'direct:Label 2']);
  });
});
