import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectPrinters } from '../../../agent/printers/direct/direct-printers.js';
import { NotSubmitted } from '../../../agent/printers/provider.js';
import { settlement } from '../../../agent/work/settlement.js';
import { spoolVerdict } from '../../../agent/work/spool-verdict.js';
import { countOf } from '../../kit/length.js';
import { eventually } from '../../kit/polling.js';
import { quietProgress } from '../../kit/quiet-progress.js';
import { RawPrinter } from '../../kit/raw-printer.js';

const SIZE = 5000;
const DOCUMENT = Buffer.from(Array.from({ length: SIZE }, (_, n) => n % 251));
const POSITIONS = countOf('POSITIONS', { short: 60, long: SIZE, soak: SIZE });

type Reported = 'not_submitted' | 'spooler_completed' | 'ambiguous';

/** A computer with one printer at a raw port. */
class Desk {
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
    const request = {
      documentName,
      printer: 'label',
      contentType: 'raw',
      copies: 1,
      bytes: DOCUMENT,
    } as const;
    try {
      await this.printers.submit(request, quietProgress());
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
      const { report, ended } = spoolVerdict({ epoch: '', started: false }, sighting, '');
      if (!ended) return undefined;
      return report?.type === 'spooler_completed' ? 'spooler_completed' : 'ambiguous';
    });
  }

  async close(): Promise<void> {
    await this.device.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function printersOf(folder: string, { address }: RawPrinter): Promise<DirectPrinters> {
  return DirectPrinters.open(join(folder, 'direct'), [{ name: 'label', address }]);
}

describe('a connection that is cut', () => {
  let desk: Desk;
  beforeEach(async () => void (desk = await Desk.open()));
  afterEach(() => desk.close());

  it(`never prints twice and never loses a document, at ${POSITIONS} positions`, async () => {
    const step = SIZE / POSITIONS;
    for (let n = 0; n < POSITIONS; n++) {
      const after = Math.floor(n * step);
      const name = desk.nextName();
      desk.device.cut = { after, by: n % 2 === 0 ? 'reset' : 'close' };
      const reported = await desk.print(name);
      const printed = desk.device.printed().get(name)?.length ?? 0;

      expect({ after, reported, printed }).toEqual({
        after,
        reported: after === 0 ? 'not_submitted' : 'ambiguous',
        printed: after,
      });
      desk.device.documents.length = 0;
    }
  }, 600_000);

  it.each(['reset', 'close'] as const)(
    'is uncertain when the cut (%s) comes behind the last byte',
    async (by) => {
      desk.device.cut = { after: SIZE, by };
      expect(await desk.print(desk.nextName())).toBe('ambiguous');
    },
  );

  it.each(['reset', 'close'] as const)('has sent nothing when it is cut at once (%s)', async (by) => {
    desk.device.cut = { after: 0, by };
    expect(await desk.print(desk.nextName())).toBe('not_submitted');
    expect(desk.device.connections).toBe(1);
  });

  it('has sent nothing while the printer is off, and prints once it is on again', async () => {
    const on = await desk.device.off();
    expect(await desk.print(desk.nextName())).toBe('not_submitted');
    await on();
    const name = desk.nextName();
    expect(await desk.print(name)).toBe('spooler_completed');
    expect(desk.device.printed()).toEqual(new Map([[name, DOCUMENT]]));
  });
});

describe('an Agent that dies', () => {
  let desk: Desk;
  beforeEach(async () => void (desk = await Desk.open()));
  afterEach(() => desk.close());

  /** Begins a document and dies at a step of it. */
  const dieAt = async (step: 'created' | 'halfway' | 'printing'): Promise<string> => {
    const documentName = desk.nextName();
    const request = {
      documentName,
      printer: 'label',
      contentType: 'raw',
      copies: 1,
      bytes: DOCUMENT,
    } as const;
    const never = new Promise<void>(() => undefined);
    const died = new Promise<void>((resolve) => {
      const die = (): Promise<void> => (resolve(), never);
      const progress = quietProgress(step === 'printing' ? { moved: () => resolve() } : { [step]: die });
      void desk.printers.submit(request, progress).catch(() => undefined);
    });
    await died;
    await desk.restart();
    return documentName;
  };

  it.each(['created', 'halfway'] as const)(
    'has sent nothing before the journal has its number (%s)',
    async (step) => {
      const name = await dieAt(step);
      const sighting = await desk.printers.find(name);
      expect(sighting.state).toBe('empty');
      await desk.printers.withdraw('spoolerJobId' in sighting ? sighting.spoolerJobId : '');

      expect(await desk.outcome(name)).toBe('not_submitted');
      expect(desk.device.printed()).toEqual(new Map());
    },
  );

  it('leaves an uncertain outcome once bytes were sent', async () => {
    desk.device.stallsAfter = 1;
    expect(await desk.outcome(await dieAt('printing'))).toBe('ambiguous');
  });

  it('leaves a completed document completed', async () => {
    const name = desk.nextName();
    expect(await desk.print(name)).toBe('spooler_completed');
    await desk.restart();
    expect(await desk.outcome(name)).toBe('spooler_completed');
  });
});
