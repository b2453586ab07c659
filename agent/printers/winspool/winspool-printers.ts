import type { IgnoredOption, OptionName, PrintOptions } from '../../service/protocol.js';
import { settleUnsupported } from '../options.js';
import {
  notOfThePrinter,
  NotSubmitted,
  type ListedPrinter,
  type Moving,
  type PrintRequest,
  type PrinterProvider,
  type Sighting,
  type SubmitProgress,
  type Submitted,
} from '../provider.js';
import { bearsMark } from '../queue-names.js';
import type { DocumentProcess, PrintedRequest } from './document-process.js';
import { DocumentProcesses } from './document-processes.js';
import { refuse } from './document-server.js';
import { DriverQuestions } from './driver-questions.js';
import { observed, sightingOf, sightingOfGone, type Track } from './job-status.js';
import { QueueQuestions } from './queue-questions.js';
import {
  SpoolerError,
  type JobInfo,
  type OpenQueue,
  type QueueInfo,
  type SpoolerApi,
} from './spooler-api.js';
import { inventoryPrinterOf } from './winspool-queues.js';

/** Names of queues that print otherwise than usual. */
export interface WinspoolSettings {
  /** Their printers understand PDF and receive it unchanged. Other queues receive its pages as bitmaps. */
  readonly directPdf: readonly string[];
  /** Text is drawn for these. Other queues receive it unchanged. */
  readonly textPages: readonly string[];
}

/**
 * Every queue of the Windows spooler. StartDocPrinter and StartDoc return a number, which the journal stores before
 * the first bytes are sent. Windows forgets a job once it has printed, so the provider remembers what it saw of each.
 * Documents are drawn and sent by processes of their own, so that neither a document nor a driver stops the Agent.
 */
export class WinspoolPrinters implements PrinterProvider {
  readonly name = 'winspool';
  readonly drawsText = true;
  private readonly tracks = new Map<string, Track>();
  /** Jobs that failed before their first byte: the service tries again what is not submitted, whatever the reason. */
  private readonly undrawable = new Map<string, NotSubmitted>();
  private readonly drivers: DriverQuestions;

  constructor(
    private readonly spooler: SpoolerApi,
    private readonly settings: WinspoolSettings = { directPdf: [], textPages: [] },
    private readonly processes = new DocumentProcesses(),
    private readonly questions = new QueueQuestions(),
    driverLimitMs?: number,
  ) {
    this.drivers = new DriverQuestions(processes, driverLimitMs);
  }

  async inventory(): Promise<ListedPrinter[]> {
    const [queues, defaultQueue] = await Promise.all([this.spooler.queues(), this.spooler.defaultQueue()]);
    await this.drivers.ask(queues);
    return queues
      .map((queue) => inventoryPrinterOf(this.name, queue, defaultQueue, this.drivers.factsOf(queue.name)))
      .filter((printer) => printer !== undefined);
  }

  epoch(): Promise<string> {
    return this.spooler.epoch();
  }

  /** Refuses a document that cannot be drawn, or not with its options: no other attempt would change that. */
  async admit(request: PrintRequest, progress: Moving): Promise<void> {
    if (!this.isDrawn(request)) return void settleUnsupported(request.options, undrawnOptions(request));
    const failure = this.undrawable.get(jobOf(request.documentName));
    if (failure) throw failure;
    const process = await this.take(request, progress);
    try {
      await process.check(this.withFacts(request), progress);
    } catch (error) {
      process.end();
      // The hand-off reports a driver that hangs or breaks.
      if (request.options && error instanceof NotSubmitted && error.failureClass === 'temporary') return;
      throw error;
    }
    this.processes.keep(request.printer, process);
  }

  async submit(request: PrintRequest, progress: SubmitProgress): Promise<Submitted> {
    const { documentName, printer, options } = request;
    const isDrawn = this.isDrawn(request);
    const ignored = isDrawn ? [] : settleUnsupported(options, undrawnOptions(request));
    const epoch = await this.spooler.epoch().catch(refuse);
    const process = isDrawn ? await this.take(request, progress) : await this.processes.take(printer);
    const job = { queue: printer, spoolerJobId: '', epoch, flags: 0, trouble: false };
    const reach = (stage: Track['stage']): void => void this.tracks.set(documentName, { ...job, stage });
    const created = async (spoolerJobId: string): Promise<void> => {
      job.spoolerJobId = spoolerJobId;
      reach('open');
      await progress.created(spoolerJobId);
      await progress.halfway();
    };
    let receipt: Submitted['receipt'];
    try {
      receipt = await process.print(this.withFacts(request), { ...progress, created });
    } catch (error) {
      process.end();
      const { reached } = process;
      if (reached === 'job' || reached === 'bytes') {
        reach(reached === 'job' ? 'withdrawn' : 'broken');
        await this.remove(printer, documentName).catch(() => undefined);
      }
      if (!(error instanceof NotSubmitted)) throw error;
      if (reached === 'bytes' || reached === 'end') throw new Error(error.message);
      if (error.failureClass === 'permanent') this.undrawable.set(jobOf(documentName), error);
      throw error;
    }
    reach('ended');
    if (process.drawn)
      process.end(); // Its memory stays as large as its largest page.
    else this.processes.keep(printer, process);
    if (ignored.length > 0) receipt = { applied: {}, ignored };
    return { spoolerJobId: job.spoolerJobId, ...(receipt && { receipt }) };
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
    // With bytes that arrived since, the job is no longer ours to withdraw.
    if (!(await this.remove(track.queue, documentName, ({ size }) => size === 0))) return;
    this.tracks.set(documentName, { ...track, stage: 'withdrawn' });
  }

  forget(documentName: string): Promise<void> {
    this.tracks.delete(documentName);
    return Promise.resolve();
  }

  /** Others that are drawn may hold all places. */
  private take({ printer }: PrintRequest, { signal, moved }: Moving): Promise<DocumentProcess> {
    return notOfThePrinter(this.processes.take(printer, signal), moved);
  }

  private withFacts(request: PrintRequest): PrintedRequest {
    return { ...request, facts: this.drivers.factsOf(request.printer) };
  }

  private isDrawn({ printer, contentType, copies, options, text }: PrintRequest): boolean {
    const { directPdf, textPages } = this.settings;
    if (contentType === 'text') return text?.mode === 'pages' || textPages.includes(printer);
    // A printer that understands PDF does not expect a second one in the same job, so copies are drawn.
    return (
      contentType === 'pdf' && (copies > 1 || !directPdf.includes(printer) || optionsIn(options).length > 0)
    );
  }

  /**
   * Looks into every queue for a document that this process has not seen yet. A queue that cannot be asked hides
   * nothing from a document without a number, which has no bytes; with a number, the search fails.
   */
  private async search(documentName: string, numbered: boolean): Promise<Sighting> {
    let failure: unknown;
    for (const { name } of await this.queues()) {
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
  private async lookInto(name: string, documentName: string): Promise<Look | undefined> {
    try {
      return await this.withQueue(name, async (queue) => {
        const [jobs, info] = [await queue.jobs(), await queue.info()];
        return { job: jobs.find(({ document }) => bearsMark(document, documentName)), queue: info };
      });
    } catch (error) {
      if (!(error instanceof SpoolerError) || (await this.queues()).some((other) => other.name === name))
        throw error;
      return undefined;
    }
  }

  /** Deletes the job of a document; resolves to false if the queue has none that may be deleted. */
  private remove(
    name: string,
    documentName: string,
    mayDelete: (job: JobInfo) => boolean = () => true,
  ): Promise<boolean> {
    return this.withQueue(name, async (queue) => {
      const job = (await queue.jobs()).find(({ document }) => bearsMark(document, documentName));
      if (!job || !mayDelete(job)) return false;
      await queue.deleteJob(job.id);
      return true;
    });
  }

  private withQueue<T>(name: string, use: (queue: OpenQueue) => Promise<T>): Promise<T> {
    return this.questions.ask(name, async () => {
      const queue = await this.spooler.open(name);
      return use(queue).finally(() => queue.close());
    });
  }

  private queues(): Promise<QueueInfo[]> {
    return this.questions.ask('', () => this.spooler.queues());
  }
}

/** All attempts of a document share it. */
function jobOf(documentName: string): string {
  return documentName.slice(0, documentName.lastIndexOf(':'));
}

function optionsIn(options?: PrintOptions): OptionName[] {
  return Object.keys(options ?? {}).filter((name) => name !== 'unsupported') as OptionName[];
}

/** Options need pages, which only drawing makes. */
function undrawnOptions({ options }: PrintRequest): IgnoredOption[] {
  return optionsIn(options).map((option) => ({
    option,
    reason: 'this printer receives the document unchanged',
  }));
}

interface Look {
  readonly job: JobInfo | undefined;
  readonly queue: QueueInfo;
}
