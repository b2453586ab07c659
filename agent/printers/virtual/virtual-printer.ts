import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentType, InventoryPrinter } from '../../service/protocol.js';
import type { Outcome, Simulation } from '../../simulation.js';
import { syncFolder } from '../../state/durable-file.js';
import {
  NotSubmitted,
  type PrintRequest,
  type PrinterProvider,
  type Sighting,
  type SubmitProgress,
  type Submitted,
} from '../provider.js';
import { fileStem, SpoolFolder } from '../spool-folder.js';

/** Queue entry of a job, written before the first copy. */
interface QueueEntry {
  spoolerJobId: string;
  outcome: Outcome;
  files: string[];
  /** Epoch milliseconds; until then the job is printing. */
  readyAt: number;
  /** All copies were written; the files may have been removed since. */
  printed?: true;
}

const EXTENSION: Record<ContentType, string> = { pdf: 'pdf', text: 'txt', raw: 'bin' };
/** Keys of the printers: `folder`, `folder-2` … */
const PRINTER = 'folder';

/** Prints into a folder, of all its printers: each copy becomes a file `<job_id>-<fence>-<copy>.<ext>`. Accepts every content type. */
export class VirtualPrinter implements PrinterProvider {
  readonly name = 'virtual';
  private readonly outcomes = new Map<string, Outcome>();

  private constructor(
    private readonly folder: string,
    private readonly displayNames: readonly string[],
    private readonly simulation: Simulation,
    private readonly queue: SpoolFolder<QueueEntry>,
  ) {}

  static async open(
    folder: string,
    displayNames: readonly string[],
    simulation: Simulation,
  ): Promise<VirtualPrinter> {
    const queue = await SpoolFolder.open<QueueEntry>(join(folder, '.queue'));
    return new VirtualPrinter(folder, displayNames, simulation, queue);
  }

  inventory(): Promise<InventoryPrinter[]> {
    const printers = this.displayNames.map((name, index): InventoryPrinter => ({
      printer_key: `${this.name}:${printerOf(index)}`,
      name,
      driver: 'virtual',
      is_default: false,
      is_virtual: true,
      online: true,
      capabilities: { content_types: ['pdf', 'raw', 'text'], color: null, duplex: null, papers: [] },
    }));
    return Promise.resolve(printers);
  }

  /** A folder never restarts; a different folder counts as a restarted spooler, because it lacks the documents. */
  epoch(): Promise<string> {
    return Promise.resolve(this.queue.id);
  }

  async admit({ documentName, printer }: PrintRequest): Promise<void> {
    const name = this.displayNames.find((_, index) => printerOf(index) === printer) ?? '';
    const outcome = await this.simulation.nextOutcome(name);
    if (outcome === 'reject') throw new NotSubmitted('SIMULATED_REJECT', 'simulated', 'permanent');
    this.outcomes.set(documentName, outcome);
  }

  async submit(request: PrintRequest, progress: SubmitProgress): Promise<Submitted> {
    const outcome = this.outcomes.get(request.documentName) ?? 'complete';
    this.outcomes.delete(request.documentName);
    if (outcome === 'silent') {
      await once(progress.signal, 'abort'); // Simulates a spooler call that hangs.
      progress.signal.throwIfAborted();
    }
    if (outcome === 'not_submitted') throw new NotSubmitted('SIMULATED_NOT_SUBMITTED', 'simulated');
    const entry: QueueEntry = {
      spoolerJobId: randomUUID(),
      outcome,
      files: outcome === 'complete' ? fileNames(request) : [],
      readyAt: Date.now() + this.simulation.delayMs,
    };
    await this.queue.write(request.documentName, entry);
    for (const [index, file] of entry.files.entries()) {
      if (index > 0) await progress.halfway();
      await this.writeCopy(file, request.bytes);
      progress.moved();
    }
    if (entry.files.length <= 1) await progress.halfway();
    if (entry.files.length > 0) await this.queue.write(request.documentName, { ...entry, printed: true });
    return { spoolerJobId: entry.spoolerJobId };
  }

  async find(documentName: string): Promise<Sighting> {
    const entry = await this.queue.read(documentName);
    if (!entry) return { state: 'absent' };
    const { spoolerJobId } = entry;
    if (Date.now() < entry.readyAt) return { state: 'printing', spoolerJobId, started: true };
    switch (entry.outcome) {
      case 'vanish':
        return { state: 'absent' };
      case 'cancel':
        return { state: 'cancelled', spoolerJobId, started: false, message: 'simulated' };
      case 'fail':
        return { state: 'aborted', spoolerJobId, started: true, message: 'simulated' };
      case 'complete':
        return await this.completed(entry);
      default:
        return { state: 'waiting', spoolerJobId, started: false };
    }
  }

  /** Does nothing: a queue entry always has its document. */
  withdraw(): Promise<void> {
    return Promise.resolve();
  }

  async forget(documentName: string): Promise<void> {
    await this.queue.remove(documentName);
  }

  /** Aborted if copies are missing after a crash: some were printed, some were not. */
  private async completed({ spoolerJobId, files, printed }: QueueEntry): Promise<Sighting> {
    if (printed) return { state: 'completed', spoolerJobId, started: true };
    const present = await Promise.all(files.map((file) => exists(join(this.folder, file))));
    return present.every(Boolean)
      ? { state: 'completed', spoolerJobId, started: true }
      : { state: 'aborted', spoolerJobId, started: true, message: 'not all copies were written' };
  }

  private async writeCopy(file: string, bytes: Uint8Array): Promise<void> {
    const temporary = join(this.queue.path, `${file}.part`);
    const handle = await open(temporary, 'w');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, join(this.folder, file));
    await syncFolder(this.folder);
  }
}

function printerOf(index: number): string {
  return index === 0 ? PRINTER : `${PRINTER}-${index + 1}`;
}

function fileNames({ documentName, copies, contentType }: PrintRequest): string[] {
  const stem = fileStem(documentName);
  return Array.from({ length: copies }, (_, index) => `${stem}-${index + 1}.${EXTENSION[contentType]}`);
}

function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
