import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectPrinters } from '../../agent/printers/direct/direct-printers.js';
import { NotSubmitted } from '../../agent/printers/provider.js';
import { settlement } from '../../agent/work/settlement.js';
import { spoolVerdict } from '../../agent/work/spool-verdict.js';
import { eventually } from './polling.js';
import { quietProgress } from './quiet-progress.js';
import { RawPrinter } from './raw-printer.js';

/** Bytes of the document. */
export const SIZE = 5000;
export const DOCUMENT = Buffer.from(Array.from({ length: SIZE }, (_, n) => n % 251));

export const requestOf = (documentName: string) =>
  ({ documentName, printer: 'label', contentType: 'raw', copies: 1, bytes: DOCUMENT }) as const;

type Reported = 'not_submitted' | 'spooler_completed' | 'ambiguous';

/** A computer with one printer at a raw port. */
export class Desk {
  private documents = 0;

  private constructor(
    readonly folder: string,
    readonly device: RawPrinter,
    public printers: DirectPrinters,
  ) {}

  static async open(): Promise<Desk> {
    const folder = await mkdtemp(join(tmpdir(), 'cut-'));
    const device = await RawPrinter.start();
    return new Desk(folder, device, await printersOf(folder, device));
  }

  nextName(): string {
    return (this.device.expecting = `svc:cut:${++this.documents}`);
  }

  /** Prints one attempt; resolves to the report that the service gets. */
  async print(documentName: string): Promise<Reported> {
    try {
      await this.printers.submit(requestOf(documentName), quietProgress());
    } catch (error) {
      if (error instanceof NotSubmitted) return 'not_submitted';
    }
    return this.outcome(documentName);
  }

  /** The Agent dies, and a new one finds its records. */
  async restart(): Promise<void> {
    this.printers = await printersOf(this.folder, this.device);
  }

  /** As the Agent settles and watches a hand-off whose number is in its journal. */
  async outcome(documentName: string): Promise<Reported> {
    return eventually('the end of the document', async () => {
      const sighting = await this.printers.find(documentName);
      const evidence = { numbered: true, restarted: false, withdrawn: true, doubtful: false };
      const settled = settlement(sighting, evidence);
      if (settled !== 'spooled') return settled === 'not_submitted' ? 'not_submitted' : 'ambiguous';
      const { report, ended } = spoolVerdict({ epoch: '', started: false, restarted: false }, sighting, '');
      if (!ended) return undefined;
      return report?.type === 'spooler_completed' ? 'spooler_completed' : 'ambiguous';
    });
  }

  /** Prints a document whose connection is cut after so many bytes. */
  async printCut(after: number, by: 'reset' | 'close'): Promise<{ reported: Reported; printed: number }> {
    const name = this.nextName();
    this.device.cut = { after, by };
    const reported = await this.print(name);
    const printed = this.device.printed().get(name)?.length ?? 0;
    this.device.documents.length = 0;
    return { reported, printed };
  }

  async close(): Promise<void> {
    await this.device.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function printersOf(folder: string, { address }: RawPrinter): Promise<DirectPrinters> {
  return DirectPrinters.open(join(folder, 'direct'), [{ name: 'label', address }]);
}
