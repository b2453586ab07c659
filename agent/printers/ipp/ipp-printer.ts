import type { ContentType, IgnoredOption } from '../../service/protocol.js';
import { settleUnsupported } from '../options.js';
import { DrawnPages } from '../pdf/drawn-pages.js';
import { inOwnProcess, rasterInOwnProcess, type DrawRaster, type WithPdf } from '../pdf/pdf-process.js';
import {
  notOfThePrinter,
  NotSubmitted,
  type Moving,
  type PrintRequest,
  type Sighting,
  type SubmitProgress,
  type Submitted,
} from '../provider.js';
import type { DeviceState } from '../device.js';
import { queueName } from '../queue-names.js';
import { Admissions } from './admissions.js';
import { DocumentStream } from './document-stream.js';
import { ippPrinter } from './ipp-address.js';
import { attribute, groupsOf, IppClient, IppRefused } from './ipp-client.js';
import { IppJobs, repeated, requested, type Hand } from './ipp-jobs.js';
import { Tag, type IppAttribute, type IppAttributes } from './ipp-message.js';
import { refusedOptions } from './job-attributes.js';
import { prepareDocument, type Prepared } from './prepared-document.js';
import { capabilitiesOf, FACTS, isOnline, printerFacts, STATE, texts } from './printer-facts.js';
import type { PrinterFacts } from './printer-facts.js';
import { rasterSettings, withRasterResolutions } from './raster-settings.js';

const VALIDATE_JOB = 0x0004;
const GET_PRINTER_ATTRIBUTES = 0x000b;
/** client-error-attributes-or-values-not-supported, RFC 8011 B.1.4.12. */
const NOT_SUPPORTED = 0x040b;
const STATE_WITHIN_MS = 5000;
const PWG_RASTER = 'image/pwg-raster';
const FORMAT: Record<ContentType, string> = {
  pdf: 'application/pdf',
  text: 'text/plain',
  raw: 'application/octet-stream',
};
const ATTRIBUTES = [
  ...[...FACTS, ...STATE, 'printer-uuid', 'printer-make-and-model', 'job-creation-attributes-supported'],
  ...['pwg-raster-document-resolution-supported', 'pwg-raster-document-type-supported'],
  'pwg-raster-document-sheet-back',
];
const USUAL_PATH = '/ipp/print';

interface Admitted {
  readonly documentName: string;
  readonly facts: PrinterFacts;
  readonly prepared: Prepared;
  readonly format: string;
  readonly pages?: DrawnPages;
  /** Ends the drawing of pages. */
  readonly discard: () => void;
}

/** An IPP printer at its own address, as the provider of printers without a queue wants its devices. */
export class IppPrinter {
  readonly tellsWhole = true;
  private readonly ipp: IppClient;
  private readonly jobs: IppJobs;
  private readonly target: string;
  private readonly admitted = new Admissions<Admitted>();
  /** Whole names of documents at the printer, which may cut them. */
  private readonly names = new Map<string, string>();
  /** Why documents at the printer are not whole; with the code of a page that could not be drawn. */
  private readonly cut = new Map<string, { readonly message: string; readonly failureCode?: string }>();
  private last: DeviceState = {
    online: false,
    capabilities: { content_types: [], color: null, duplex: null, papers: [] },
  };

  constructor(
    address: URL,
    private readonly withPdf: WithPdf = inOwnProcess,
    private readonly draw: DrawRaster = rasterInOwnProcess,
  ) {
    this.ipp = new IppClient(ippPrinter(address));
    this.target = address.pathname.length > 1 ? address.pathname : USUAL_PATH;
    const at = { path: this.target, target: this.target };
    this.jobs = new IppJobs(this.ipp, at, ['not-completed', 'completed']);
  }

  /** Of a printer that does not answer, what it last told. Throws nothing. */
  async state(): Promise<DeviceState> {
    try {
      const facts = await this.facts(AbortSignal.timeout(STATE_WITHIN_MS));
      const { attributes } = facts;
      const reasons = texts(attributes, 'printer-state-reasons').filter(
        (reason) => reason !== 'none' && !/-(report|warning)$/.test(reason),
      );
      return (this.last = {
        online: isOnline(attributes),
        trouble: reasons.join(', ') || undefined,
        driver: texts(attributes, 'printer-make-and-model')[0],
        deviceId: texts(attributes, 'printer-uuid')[0],
        capabilities: capabilitiesOf(facts, contentTypesOf(facts)),
      });
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error);
      return { ...this.last, online: false, trouble };
    }
  }

  async admit(request: PrintRequest, progress: Moving): Promise<void> {
    this.admitted.keep(request.printer, await this.prepare(request, progress));
  }

  async submit(request: PrintRequest, progress: SubmitProgress): Promise<Submitted> {
    const known = this.admitted.take(request.printer, request.documentName);
    const admitted = known ?? (await this.prepare(request, progress));
    const { prepared, format, pages, facts } = admitted;
    const times = request.contentType === 'raw' ? request.copies : 1;
    const whole = repeated(prepared.bytes, times, progress.moved);
    let recorded: Promise<void> | undefined;
    const record = (): Promise<void> | undefined => (recorded ??= progress.whole?.());
    const source = pages?.chunks(progress.signal) ?? whole.chunks;
    const chunks = new DocumentStream(source, progress.moved, () => void record()?.catch(() => undefined));
    const document: Hand['document'] = { chunks, size: pages ? undefined : whole.size };
    let isReady = false;
    let jobId = '';
    const steps: SubmitProgress = {
      ...progress,
      created: (id) => {
        this.names.set(request.documentName, queueName(request));
        return progress.created((jobId = id));
      },
      halfway: async () => {
        await progress.halfway();
        isReady = true;
      },
    };
    const hand = { request, prepared, facts, target: this.target, format, document };
    try {
      const submitted = await this.jobs.submit(hand, steps);
      await record(); // Also of a printer that answers before it has read all.
      return submitted;
    } catch (error) {
      await recorded;
      // The journal and the record of the document have their own ways to end what fails before.
      if (!isReady || chunks.isWhole) throw error;
      const failure = chunks.failure ?? unreachable(error);
      const { failureCode } = chunks.failure ?? {};
      if (chunks.isBegun) this.cut.set(request.documentName, { message: failure.message, failureCode });
      else this.names.delete(request.documentName);
      // So that the printer prints no half document.
      await this.jobs.withdraw(jobId).catch(() => undefined);
      // Whatever ended it, also an answer of the printer: printers print while they receive.
      throw chunks.isBegun ? new Error(failure.message) : failure;
    } finally {
      admitted.discard();
    }
  }

  /** A job without a document proves nothing by itself: printers begin to print while they receive. */
  async find(documentName: string, spoolerJobId?: string): Promise<Sighting> {
    const sighting = await this.jobs.find(documentName, spoolerJobId, this.names.get(documentName));
    const cut = this.cut.get(documentName);
    if (!cut) return sighting.state === 'empty' ? { state: 'absent' } : sighting;
    if (sighting.state === 'printing' || sighting.state === 'waiting') return sighting;
    return { state: 'aborted', spoolerJobId: spoolerJobId ?? '', started: true, ...cut };
  }

  withdraw(spoolerJobId: string): Promise<void> {
    return this.jobs.withdraw(spoolerJobId);
  }

  forget(documentName: string): Promise<void> {
    this.admitted.forget(documentName);
    this.names.delete(documentName);
    this.cut.delete(documentName);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return this.ipp.close();
  }

  private async prepare(request: PrintRequest, { signal, moved }: Moving): Promise<Admitted> {
    const facts = await this.facts(signal).catch((error: unknown) => {
      throw unreachable(error);
    });
    moved();
    const formats = texts(facts.attributes, 'document-format-supported');
    const isDrawn = request.contentType === 'pdf' && !formats.includes(FORMAT.pdf);
    const format = isDrawn ? PWG_RASTER : FORMAT[request.contentType];
    if (!formats.includes(format))
      throw new NotSubmitted(
        'CONTENT_TYPE_NOT_SUPPORTED',
        `the printer does not take ${format}`,
        'permanent',
      );
    const possible = isDrawn ? withRasterResolutions(facts) : facts;
    const prepared = await prepareDocument(request, possible, {
      ...{ withPdf: this.withPdf, signal, moved, throughFilters: false, drawn: isDrawn },
    });
    if (isDrawn && !prepared.sheet)
      throw new NotSubmitted('SPOOLER_REFUSED', 'the printer does not tell its sheet', 'permanent');
    const raster = isDrawn ? rasterSettings(prepared, possible) : undefined;
    const agreed = await this.validated(request, creatable(prepared, facts, isDrawn), format, signal);
    moved();
    const drawn = raster && { resolution_dpi: raster.dpi, color: raster.type === 'srgb_8' };
    const known = { ...agreed, applied: { ...agreed.applied, ...drawn } };
    const drawing =
      raster && notOfThePrinter(DrawnPages.begin(this.draw, signal, prepared.bytes, raster), moved);
    const pages = await drawing;
    const { documentName } = request;
    return {
      ...{ documentName, facts: possible, prepared: known, format, pages },
      discard: () => pages?.discard(),
    };
  }

  /** Asks the printer itself, which may refuse what it lists. */
  private async validated(
    { options }: PrintRequest,
    prepared: Prepared,
    format: string,
    signal: AbortSignal,
  ): Promise<Prepared> {
    const refusal = await this.ipp
      .execute({
        ...{ operation: VALIDATE_JOB, path: this.target, target: this.target, signal },
        attributes: [
          attribute('document-format', Tag.mimeType, format),
          attribute('ipp-attribute-fidelity', Tag.boolean, true),
        ],
        groups: [{ tag: Tag.job, attributes: prepared.attributes }],
      })
      .then(
        (answer) => groupsOf(answer, Tag.unsupported)[0],
        (error: unknown) => {
          if (error instanceof IppRefused && error.status === NOT_SUPPORTED && error.unsupported?.size)
            return error.unsupported;
          throw unreachable(error);
        },
      );
    if (!refusal) return prepared;
    return without(prepared, refusal, settleUnsupported(options, refusedOptions(refusal, options)));
  }

  private async facts(signal: AbortSignal): Promise<PrinterFacts> {
    const answer = await this.ipp.execute({
      ...{ operation: GET_PRINTER_ATTRIBUTES, path: this.target, target: this.target, signal },
      attributes: [requested(ATTRIBUTES)],
    });
    return printerFacts(groupsOf(answer, Tag.printer)[0] ?? new Map());
  }
}

export const openIppPrinter = (address: URL): IppPrinter => new IppPrinter(address);

function contentTypesOf({ attributes }: PrinterFacts): ContentType[] {
  const formats = texts(attributes, 'document-format-supported');
  const types = (['pdf', 'raw', 'text'] as const).filter((type) => formats.includes(FORMAT[type]));
  return types.includes('pdf') || !formats.includes(PWG_RASTER) ? types : ['pdf', ...types];
}

/** What a printer does not know as a part of a job is not asked for: it would refuse the job. */
function creatable(prepared: Prepared, { attributes }: PrinterFacts, isDrawn: boolean): Prepared {
  const known = texts(attributes, 'job-creation-attributes-supported');
  const isKnown = ({ name }: IppAttribute): boolean => {
    if (isDrawn && name === 'printer-resolution') return false; // Raster tells its own.
    return name !== 'print-scaling' || known.length === 0 || known.includes(name);
  };
  return { ...prepared, attributes: prepared.attributes.filter(isKnown) };
}

function without(prepared: Prepared, refusal: IppAttributes, ignored: IgnoredOption[]): Prepared {
  if (refusal.has('copies'))
    throw new NotSubmitted('OPTION_NOT_SUPPORTED', 'the printer makes no such number of copies', 'permanent');
  const attributes = prepared.attributes.filter(({ name }) => !refusal.has(name));
  return { ...prepared, attributes, ignored: [...prepared.ignored, ...ignored] };
}

function unreachable(error: unknown): NotSubmitted {
  if (error instanceof NotSubmitted) return error;
  const code = error instanceof IppRefused ? 'SPOOLER_REFUSED' : 'SPOOLER_UNAVAILABLE';
  return new NotSubmitted(code, error instanceof Error ? error.message : String(error));
}
