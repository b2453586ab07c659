import type { ContentType, InventoryPrinter, Paper } from '../../service/protocol.js';
import {
  NotSubmitted,
  type PrintRequest,
  type PrinterProvider,
  type Sighting,
  type SubmitProgress,
  type Submitted,
} from '../provider.js';
import { JOB_ATTRIBUTES, sightingOf } from './cups-jobs.js';
import { paperOf, queueOf, QUEUE_ATTRIBUTES, type Queue } from './cups-queues.js';
import { attribute, groupsOf, IppRefused, NOT_FOUND, type IppCall, type IppClient } from './ipp-client.js';
import { Tag, type IppAttributes } from './ipp-message.js';
import { SpoolerEpoch } from './spooler-epoch.js';

const Operation = {
  createJob: 0x0005,
  sendDocument: 0x0006,
  cancelJob: 0x0008,
  getJobAttributes: 0x0009,
  getJobs: 0x000a,
  getPrinterAttributes: 0x000b,
  getPrinters: 0x4002,
} as const;

const CHUNK_BYTES = 65_536;

/** Raw uses a type that CUPS does not filter: for `application/octet-stream` it would guess the type. */
const FORMAT: Record<ContentType, string> = {
  pdf: 'application/pdf',
  text: 'text/plain',
  raw: 'application/vnd.cups-raw',
};

/**
 * Every queue of a CUPS server. Submits in two steps: Create-Job returns a number, which the journal stores before
 * Send-Document sends the bytes. So the number of every printed job is on our disk.
 */
export class CupsPrinters implements PrinterProvider {
  readonly name = 'cups';
  private readonly spoolerEpoch: SpoolerEpoch;
  private queues = new Map<string, Queue>();

  constructor(private readonly ipp: IppClient) {
    this.spoolerEpoch = new SpoolerEpoch(ipp);
  }

  async inventory(): Promise<InventoryPrinter[]> {
    const response = await this.answerOrNone({
      operation: Operation.getPrinters,
      attributes: [requested(QUEUE_ATTRIBUTES)],
    });
    const queues = response.map((attributes) => queueOf(this.name, attributes)).filter((queue) => !!queue);
    this.queues = new Map(queues.map((queue) => [queue.printer.printer_key, queue]));
    return queues.map(({ printer }) => printer);
  }

  /** The paper that the queue uses for documents that name none. */
  async defaultPaper(printer: string): Promise<Paper | undefined> {
    const [queue] = await this.answerOrNone({
      operation: Operation.getPrinterAttributes,
      path: this.pathOf(printer),
      target: this.pathOf(printer),
      attributes: [requested(['media-default'])],
    });
    const name = queue?.get('media-default')?.[0];
    return typeof name === 'string' ? paperOf(name) : undefined;
  }

  epoch(): Promise<string> {
    return this.spoolerEpoch.current();
  }

  async submit(request: PrintRequest, progress: SubmitProgress): Promise<Submitted> {
    const target = this.pathOf(request.printer);
    const jobId = await this.createJob(target, request, progress.signal);
    progress.moved();
    await progress.created(String(jobId));
    await progress.halfway();
    // Spoolers ignore copies for raw data, so the bytes are repeated within one document.
    const times = request.contentType === 'raw' ? request.copies : 1;
    await this.ipp.execute({
      operation: Operation.sendDocument,
      path: target,
      target,
      attributes: [
        attribute('job-id', Tag.integer, jobId),
        attribute('document-name', Tag.name, request.documentName),
        attribute('document-format', Tag.mimeType, FORMAT[request.contentType]),
        attribute('last-document', Tag.boolean, true),
      ],
      document: {
        chunks: repeated(request.bytes, times, progress.moved),
        size: request.bytes.length * times,
      },
      signal: progress.signal,
    });
    return { spoolerJobId: String(jobId) };
  }

  async find(documentName: string, spoolerJobId?: string): Promise<Sighting> {
    const known = spoolerJobId === undefined ? undefined : await this.job(Number(spoolerJobId));
    if (known?.get('job-name')?.[0] === documentName) return sightingOf(known);
    const jobs = await this.answerOrNone(
      {
        operation: Operation.getJobs,
        attributes: [attribute('which-jobs', Tag.keyword, 'all'), requested(JOB_ATTRIBUTES)],
      },
      Tag.job,
    );
    const job = jobs.find((candidate) => candidate.get('job-name')?.[0] === documentName);
    return job ? sightingOf(job) : { state: 'absent' };
  }

  async withdraw(spoolerJobId: string): Promise<void> {
    await this.ipp.execute({
      operation: Operation.cancelJob,
      path: '/jobs/',
      attributes: [attribute('job-id', Tag.integer, Number(spoolerJobId))],
    });
  }

  /** Does nothing: CUPS keeps its own history. */
  forget(): Promise<void> {
    return Promise.resolve();
  }

  private async createJob(
    target: string,
    { documentName, contentType, copies }: PrintRequest,
    signal: AbortSignal,
  ): Promise<number> {
    const created = await this.ipp
      .execute({
        operation: Operation.createJob,
        path: target,
        target,
        attributes: [attribute('job-name', Tag.name, documentName)],
        groups: [
          {
            tag: Tag.job,
            attributes: [attribute('copies', Tag.integer, contentType === 'raw' ? 1 : copies)],
          },
        ],
        signal,
      })
      .catch((error: unknown) => {
        // Without a number no document is sent, so after any error here nothing was submitted.
        throw new NotSubmitted(
          error instanceof IppRefused ? 'SPOOLER_REFUSED' : 'SPOOLER_UNAVAILABLE',
          error instanceof Error ? error.message : String(error),
        );
      });
    const jobId = groupsOf(created, Tag.job)[0]?.get('job-id')?.[0];
    if (typeof jobId !== 'number') throw new NotSubmitted('SPOOLER_REFUSED', 'CUPS gave no job id');
    return jobId;
  }

  private async job(jobId: number): Promise<IppAttributes | undefined> {
    const call = {
      operation: Operation.getJobAttributes,
      path: '/jobs/',
      attributes: [attribute('job-id', Tag.integer, jobId), requested(JOB_ATTRIBUTES)],
    };
    return (await this.answerOrNone(call, Tag.job))[0];
  }

  private async answerOrNone(call: IppCall, tag: number = Tag.printer): Promise<IppAttributes[]> {
    try {
      return groupsOf(await this.ipp.execute(call), tag);
    } catch (error) {
      if (error instanceof IppRefused && error.status === NOT_FOUND) return [];
      throw error;
    }
  }

  private pathOf(printer: string): string {
    return this.queues.get(`${this.name}:${printer}`)?.path ?? `/printers/${encodeURIComponent(printer)}`;
  }
}

function requested(names: string[]): ReturnType<typeof attribute> {
  return attribute('requested-attributes', Tag.keyword, ...names);
}

/** Calls `moved` whenever the spooler has taken what was sent before. */
function* repeated(bytes: Uint8Array, times: number, moved: () => void): Iterable<Uint8Array> {
  for (let time = 0; time < times; time++) {
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
      yield bytes.subarray(at, at + CHUNK_BYTES);
      moved();
    }
  }
}
