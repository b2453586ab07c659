import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CupsPrinters } from '../../agent/printers/cups/cups-printers.js';
import { IppClient, ippServer } from '../../agent/printers/ipp/ipp-client.js';
import { DirectPrinters } from '../../agent/printers/direct/direct-printers.js';
import type { PrinterProvider } from '../../agent/printers/provider.js';
import { VirtualPrinter } from '../../agent/printers/virtual/virtual-printer.js';
import { Simulation } from '../../agent/simulation.js';
import { StateFolder } from '../../agent/state/state-folder.js';
import { Cupsd, cupsdMissing } from '../kit/cupsd.js';
import { RawPrinter } from '../kit/raw-printer.js';
import { numberingProviderContract, printerProviderContract } from './printer-provider.contract.js';
import { describeUnless } from '../kit/describe-unless.js';

describe('the virtual printer', () => {
  let folder: string;
  let provider: VirtualPrinter;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'virtual-'));
    const simulation = await Simulation.open({}, await StateFolder.open(folder));
    provider = await VirtualPrinter.open(join(folder, 'printed'), ['Virtual'], simulation);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Files are named `<job_id>-<fence>-<copy>.<ext>`. */
  const printed = async (): Promise<Map<string, Buffer>> => {
    const documents = new Map<string, Buffer>();
    const files = (await readdir(join(folder, 'printed'))).filter((name) => !name.startsWith('.')).sort();
    for (const file of files) {
      const [job, fence] = file.split('-');
      const name = `svc:${job}:${fence}`;
      const bytes = await readFile(join(folder, 'printed', file));
      documents.set(name, Buffer.concat([documents.get(name) ?? Buffer.alloc(0), bytes]));
    }
    return documents;
  };
  printerProviderContract(() => ({ provider, printer: 'folder', printed }));
});

/** Calls `before` with the name of each document. */
function naming(provider: DirectPrinters, before: (documentName: string) => Promise<void>): PrinterProvider {
  const submit = provider.submit.bind(provider);
  return Object.assign(provider, {
    submit: async (...[request, progress]: Parameters<typeof submit>) => {
      await before(request.documentName);
      return submit(request, progress);
    },
  });
}

describe('a printer without a queue', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'direct-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const opened = (address: string): Promise<DirectPrinters> =>
    DirectPrinters.open(join(folder, 'direct'), [{ name: 'label', address }]);

  describe('at a raw port', () => {
    let device: RawPrinter;
    let provider: PrinterProvider;
    beforeEach(async () => {
      device = await RawPrinter.start();
      provider = naming(await opened(device.address), async (name) => void (device.expecting = name));
    });
    afterEach(() => device.stop());

    const site = () => ({ provider, printer: 'label', printed: async () => device.printed() });
    printerProviderContract(site);
    numberingProviderContract(site);
  });

  describe('at a file', () => {
    let file: string;
    let provider: PrinterProvider;
    const starts: { name: string; at: number }[] = [];
    beforeEach(async () => {
      file = join(folder, 'lp0');
      await writeFile(file, '');
      provider = naming(await opened(`file:${file}`), async (name) => {
        starts.push({ name, at: (await readFile(file)).length });
      });
    });
    afterEach(() => void (starts.length = 0));

    const printed = async (): Promise<Map<string, Buffer>> => {
      const all = await readFile(file);
      const pieces = starts.map(({ name, at }, index): [string, Buffer] => [
        name,
        all.subarray(at, starts[index + 1]?.at),
      ]);
      return new Map(pieces.filter(([, bytes]) => bytes.length > 0));
    };
    const site = () => ({ provider, printer: 'label', printed });
    printerProviderContract(site);
    numberingProviderContract(site);
  });
});

describeUnless(cupsdMissing(), 'the printers of CUPS', () => {
  let cupsd: Cupsd;
  let ipp: IppClient;
  let provider: CupsPrinters;
  beforeAll(async () => {
    cupsd = await Cupsd.start();
    await cupsd.addQueue('desk');
    await cupsd.addQueue('label');
    ipp = new IppClient(ippServer(cupsd.address));
    provider = new CupsPrinters(ipp);
  });
  afterAll(async () => {
    await ipp.close();
    await cupsd.remove();
  });

  const site = () => ({ provider, printer: 'desk', printed: () => cupsd.output() });
  printerProviderContract(site);
  numberingProviderContract(site);

  it('tells the paper that a queue uses', async () => {
    await cupsd.addOffice('office', 'na_letter_8.5x11in');
    expect(await provider.defaultPaper('office')).toEqual({
      ...{ name: 'na_letter_8.5x11in', width_mm: 215.9, height_mm: 279.4 },
    });
    expect(await provider.defaultPaper('nowhere')).toBeUndefined();
  });
});
