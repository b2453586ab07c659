import type { InventoryPrinter } from '../../service/protocol.js';
import {
  NotSubmitted,
  type PrintRequest,
  type PrinterProvider,
  type Sighting,
  type SubmitProgress,
} from '../provider.js';
import { printPages } from './page-printing.js';
import { PdfDocument } from './pdf-renderer.js';
import { observed, sightingOf, sightingOfGone, type Track } from './job-status.js';
import { SpoolerError, type JobInfo, type OpenQueue, type Output, type SpoolerApi } from './spooler-api.js';
import { assertTextCanBeDrawn, textPdf } from './text-pages.js';
import { inventoryPrinterOf } from './winspool-queues.js';

/** Bytes of one WritePrinter call, so that a large document does not occupy the spooler's pipe at once. */
const CHUNK = 256 * 1024;

/** Names of queues that print otherwise than usual. */
export interface WinspoolSettings {
  /** Their printers understand PDF and receive it unchanged. Other queues receive its pages as bitmaps. */
  readonly directPdf: readonly string[];
  /** Text is drawn for these. Other queues receive it unchanged. */
  readonly textPages: readonly string[];
}

/** A document on its way to a queue. */
interface Sending {
  readonly output: Output;
  /** Sends all copies; calls `beforeBytes` before the spooler can receive any. */
  send(beforeBytes: () => void): Promise<void>;
}

/**
 * Every queue of the Windows spooler. StartDocPrinter and StartDoc return a number, which the journal stores before
 * the first bytes are sent. Windows forgets a job once it has printed, so the provider remembers what it saw of each.
 */
export class WinspoolPrinters implements PrinterProvider {
  readonly name = 'winspool';
  private readonly tracks = new Map<string, Track>();

  constructor(
    private readonly spooler: SpoolerApi,
    private readonly settings: WinspoolSettings = { directPdf: [], textPages: [] },
  ) {}

  async inventory(): Promise<InventoryPrinter[]> {
    const [queues, defaultQueue] = await Promise.all([this.spooler.queues(), this.spooler.defaultQueue()]);
    return queues
      .map((queue) => inventoryPrinterOf(this.name, queue, defaultQueue))
      .filter((printer) => printer !== undefined);
  }

  epoch(): Promise<string> {
    return this.spooler.epoch();
  }

  /** Refuses a document that cannot be drawn, which no other attempt would change. */
  async admit(request: PrintRequest): Promise<void> {
    if (!this.isDrawn(request)) return;
    if (request.contentType === 'text') await assertTextCanBeDrawn(request.bytes);
    else await PdfDocument.open(request.bytes);
  }

  async submit(request: PrintRequest, progress: SubmitProgress): Promise<string> {
    const epoch = await this.spooler.epoch().catch(refuse);
    const { output, send } = await this.sending(request);
    try {
      const id = await output.startDocument(request.documentName).catch(refuse);
      const { documentName, printer } = request;
      const spoolerJobId = String(id);
      const track = { queue: printer, spoolerJobId, epoch, flags: 0, trouble: false };
      const stage = (reached: Track['stage']): void =>
        void this.tracks.set(documentName, { ...track, stage: reached });
      stage('open');
      let begun = false;
      try {
        await progress.created(spoolerJobId);
        await progress.halfway();
        await send(() => (begun = true));
      } catch (error) {
        stage(begun ? 'broken' : 'withdrawn');
        await output.deleteJob(id).catch(() => undefined);
        if (!begun && error instanceof SpoolerError) refuse(error);
        throw error;
      }
      await output.endDocument();
      stage('ended');
      return spoolerJobId;
    } finally {
      await output.close().catch(() => undefined);
    }
  }

  async find(documentName: string, spoolerJobId?: string): Promise<Sighting> {
    const track = this.tracks.get(documentName);
    if (!track) return this.search(documentName, spoolerJobId !== undefined);
    const look = await this.lookInto(track.queue, documentName);
    if (look?.job) return this.remember(documentName, observed(track, look.job, look.queue), look.job);
    return sightingOfGone(look ? track : { ...track, trouble: true }, await this.spooler.epoch());
  }

  async withdraw(spoolerJobId: string): Promise<void> {
    const found = [...this.tracks].find(([, track]) => track.spoolerJobId === spoolerJobId);
    if (!found) return;
    const [documentName, track] = found;
    const queue = await this.spooler.open(track.queue);
    try {
      const job = (await queue.jobs()).find(({ document }) => document === documentName);
      if (!job || job.size > 0) return; // Bytes arrived since: the job is no longer ours to withdraw.
      await queue.deleteJob(job.id);
      this.tracks.set(documentName, { ...track, stage: 'withdrawn' });
    } finally {
      await queue.close();
    }
  }

  forget(documentName: string): Promise<void> {
    this.tracks.delete(documentName);
    return Promise.resolve();
  }

  /** Opens the queue as its printer takes the document. One that cannot be drawn is refused before a job exists. */
  private async sending(request: PrintRequest): Promise<Sending> {
    const { printer, contentType, bytes, copies } = request;
    if (!this.isDrawn(request)) {
      const queue = await this.spooler.open(printer).catch(refuse);
      return { output: queue, send: (beforeBytes) => printCopies(queue, request, beforeBytes) };
    }
    const canvas = await this.spooler.openCanvas(printer).catch(refuse);
    try {
      const pdf = contentType === 'text' ? await textPdf(bytes, canvas.area) : bytes;
      const document = await PdfDocument.open(pdf);
      return { output: canvas, send: (beforeBytes) => printPages(canvas, document, copies, beforeBytes) };
    } catch (error) {
      await canvas.close().catch(() => undefined);
      throw error;
    }
  }

  private isDrawn({ printer, contentType, copies }: PrintRequest): boolean {
    const { directPdf, textPages } = this.settings;
    if (contentType === 'text') return textPages.includes(printer);
    // A printer that understands PDF does not expect a second one in the same job, so copies are drawn.
    return contentType === 'pdf' && (copies > 1 || !directPdf.includes(printer));
  }

  /**
   * Looks into every queue for a document that this process has not seen yet. A queue that cannot be asked hides
   * nothing from a document without a number, which has no bytes; with a number, the search fails.
   */
  private async search(documentName: string, numbered: boolean): Promise<Sighting> {
    let failure: unknown;
    for (const { name } of await this.spooler.queues()) {
      try {
        const look = await this.lookInto(name, documentName);
        if (!look?.job) continue;
        const found: Track = {
          ...{ queue: name, spoolerJobId: String(look.job.id), epoch: await this.spooler.epoch() },
          ...{ stage: 'found', flags: 0, trouble: false },
        };
        return this.remember(documentName, observed(found, look.job, look.queue), look.job);
      } catch (error) {
        failure = error;
      }
    }
    if (numbered && failure !== undefined) throw failure;
    return { state: 'absent' };
  }

  private remember(documentName: string, track: Track, job: JobInfo): Sighting {
    this.tracks.set(documentName, track);
    return sightingOf(track, job);
  }

  /** Undefined if the queue was removed. */
  private async lookInto(
    name: string,
    documentName: string,
  ): Promise<{ job: JobInfo | undefined; queue: Awaited<ReturnType<OpenQueue['info']>> } | undefined> {
    let queue: OpenQueue;
    try {
      queue = await this.spooler.open(name);
    } catch (error) {
      if ((await this.spooler.queues()).some((other) => other.name === name)) throw error;
      return undefined;
    }
    try {
      const [jobs, info] = [await queue.jobs(), await queue.info()];
      return { job: jobs.find(({ document }) => document === documentName), queue: info };
    } finally {
      await queue.close();
    }
  }
}

/** Before the first byte nothing can have been printed. */
function refuse(error: unknown): never {
  const unreachable = !(error instanceof SpoolerError) || error.unreachable;
  throw new NotSubmitted(
    unreachable ? 'SPOOLER_UNAVAILABLE' : 'SPOOLER_REFUSED',
    error instanceof Error ? error.message : String(error),
  );
}

/** Windows ignores copies for raw data, so the bytes are repeated within one document, each as a page of its own. */
async function printCopies(
  queue: OpenQueue,
  { bytes, copies }: PrintRequest,
  beforeBytes: () => void,
): Promise<void> {
  for (let copy = 0; copy < copies; copy++) {
    await queue.startPage();
    for (let offset = 0; offset < bytes.length;) {
      beforeBytes();
      const accepted = await queue.write(bytes.subarray(offset, offset + CHUNK));
      if (accepted === 0) throw new Error('WritePrinter accepted no bytes');
      offset += accepted;
    }
    await queue.endPage();
  }
}
