import type { ContentType, InventoryPrinter, Paper } from '../../service/protocol.js';
import { Admissions } from '../ipp/admissions.js';
import { attribute, groupsOf, IppRefused, NOT_FOUND, type IppClient } from '../ipp/ipp-client.js';
import { IppJobs, repeated, requested } from '../ipp/ipp-jobs.js';
import { Tag, type IppAttribute } from '../ipp/ipp-message.js';
import { prepareDocument, type Prepared } from '../ipp/prepared-document.js';
import { FACTS, printerFacts, type PrinterFacts } from '../ipp/printer-facts.js';
import { inOwnProcess, type WithPdf } from '../pdf/pdf-process.js';
import {
  NotSubmitted,
  type Moving,
  type PrintRequest,
  type PrinterProvider,
  type Sighting,
  type SubmitProgress,
  type Submitted,
} from '../provider.js';
import { queueOf, QUEUE_ATTRIBUTES, type Queue } from './cups-queues.js';
import { SpoolerEpoch } from './spooler-epoch.js';

const GET_PRINTER_ATTRIBUTES = 0x000b;
const GET_PRINTERS = 0x4002;

/** Raw uses a type that CUPS does not filter: for `application/octet-stream` it would guess the type. */
const FORMAT: Record<ContentType, string> = {
  pdf: 'application/pdf',
  text: 'text/plain',
  raw: 'application/vnd.cups-raw',
};

interface Admitted {
  readonly documentName: string;
  readonly facts: PrinterFacts;
  readonly prepared: Prepared;
}

/** Every queue of a CUPS server. */
export class CupsPrinters implements PrinterProvider {
  readonly name = 'cups';
  private readonly spoolerEpoch: SpoolerEpoch;
  private readonly jobs: IppJobs;
  private queues = new Map<string, Queue>();
  private readonly admitted = new Admissions<Admitted>();

  constructor(
    private readonly ipp: IppClient,
    private readonly withPdf: WithPdf = inOwnProcess,
    /** Called once for a queue that prints failed jobs again. */
    private readonly onRepeating: (queue: string) => void = () => undefined,
  ) {
    this.spoolerEpoch = new SpoolerEpoch(ipp);
    this.jobs = new IppJobs(ipp, { path: '/jobs/' }, ['all']);
  }

  async inventory(): Promise<InventoryPrinter[]> {
    const call = { operation: GET_PRINTERS, attributes: [requested([...QUEUE_ATTRIBUTES, ...FACTS])] };
    const answer = await this.ipp.execute(call).catch((error: unknown) => {
      if (error instanceof IppRefused && error.status === NOT_FOUND) return undefined;
      throw error;
    });
    const found = answer ? groupsOf(answer, Tag.printer) : [];
    const queues = found.map((attributes) => queueOf(this.name, attributes)).filter((queue) => !!queue);
    const isNoticed = ({ printer }: Queue) => this.queues.get(printer.printer_key)?.repeats;
    for (const queue of queues) if (queue.repeats && !isNoticed(queue)) this.onRepeating(queue.printer.name);
    this.queues = new Map(queues.map((queue) => [queue.printer.printer_key, queue]));
    return queues.map(({ printer }) => printer);
  }

  /** The paper that the queue uses for documents that name none. */
  async defaultPaper(printer: string): Promise<Paper | undefined> {
    const facts = await this.facts(printer).catch(() => undefined);
    const sheet = facts?.defaultSheet;
    return sheet && { name: sheet.name, width_mm: sheet.width / 100, height_mm: sheet.height / 100 };
  }

  epoch(): Promise<string> {
    return this.spoolerEpoch.current();
  }

  /** Raw documents have no options and need no look at the queue. */
  async admit(request: PrintRequest, progress: Moving): Promise<void> {
    if (request.contentType === 'raw') return;
    this.admitted.keep(request.printer, await this.prepare(request, progress));
  }

  async submit(request: PrintRequest, progress: SubmitProgress): Promise<Submitted> {
    const target = this.pathOf(request.printer);
    const { contentType, copies } = request;
    const isRaw = contentType === 'raw';
    const admitted = isRaw ? undefined : await this.takeAdmitted(request, progress);
    const prepared = admitted?.prepared ?? { bytes: request.bytes, attributes: [], applied: {}, ignored: [] };
    // Spoolers ignore copies for raw data, so the bytes are repeated within one document.
    const document = repeated(prepared.bytes, isRaw ? copies : 1, progress.moved);
    const hand = { request, prepared, facts: admitted?.facts, target, format: FORMAT[contentType], document };
    return this.jobs.submit(hand, progress);
  }

  find(documentName: string, spoolerJobId?: string): Promise<Sighting> {
    return this.jobs.find(documentName, spoolerJobId);
  }

  withdraw(spoolerJobId: string): Promise<void> {
    return this.jobs.withdraw(spoolerJobId);
  }

  /** CUPS keeps its own history. */
  forget(documentName: string): Promise<void> {
    this.admitted.forget(documentName);
    return Promise.resolve();
  }

  private async takeAdmitted(request: PrintRequest, progress: Moving): Promise<Admitted> {
    const { printer, documentName } = request;
    return this.admitted.take(printer, documentName) ?? this.prepare(request, progress);
  }

  private async prepare(request: PrintRequest, { signal, moved }: Moving): Promise<Admitted> {
    const facts = await this.facts(request.printer, signal);
    moved();
    const prepared = await prepareDocument(request, facts, {
      withPdf: this.withPdf,
      signal,
      moved,
      throughFilters: true,
    });
    const attributes = prepared.attributes.flatMap(withResolutionOfPpd);
    return { documentName: request.documentName, facts, prepared: { ...prepared, attributes } };
  }

  private async facts(printer: string, signal?: AbortSignal): Promise<PrinterFacts> {
    const target = this.pathOf(printer);
    const call = { operation: GET_PRINTER_ATTRIBUTES, path: target, target, attributes: [requested(FACTS)] };
    const answer = await this.ipp.execute({ ...call, signal }).catch((error: unknown) => {
      const code = error instanceof IppRefused ? 'SPOOLER_REFUSED' : 'SPOOLER_UNAVAILABLE';
      throw new NotSubmitted(code, error instanceof Error ? error.message : String(error));
    });
    return printerFacts(groupsOf(answer, Tag.printer)[0] ?? new Map());
  }

  private pathOf(printer: string): string {
    return this.queues.get(`${this.name}:${printer}`)?.path ?? `/printers/${encodeURIComponent(printer)}`;
  }
}

/** CUPS hands `203x203dpi` to filters, which PPDs with a choice `203dpi` do not know. */
function withResolutionOfPpd(given: IppAttribute): IppAttribute[] {
  const [value] = given.values;
  if (given.name !== 'printer-resolution' || typeof value !== 'object' || !('x' in value)) return [given];
  return [given, attribute('Resolution', Tag.keyword, `${value.x}dpi`)];
}
