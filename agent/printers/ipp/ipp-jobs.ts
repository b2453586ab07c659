import { setTimeout as pause } from 'node:timers/promises';
import type { Applied, IgnoredOption, Receipt } from '../../service/protocol.js';
import { settleUnsupported } from '../options.js';
import {
  NotSubmitted,
  type PrintRequest,
  type Sighting,
  type SubmitProgress,
  type Submitted,
} from '../provider.js';
import { bearsMark, queueName } from '../queue-names.js';
import { appliedBy, CONFIRMED, refusedOptions } from './job-attributes.js';
import {
  attribute,
  BUSY,
  groupsOf,
  IppRefused,
  NOT_FOUND,
  type IppCall,
  type IppClient,
} from './ipp-client.js';
import { Tag, type IppAttribute, type IppAttributes, type IppResponse } from './ipp-message.js';
import { JOB_ATTRIBUTES, sightingOf } from './job-states.js';
import type { Prepared } from './prepared-document.js';
import type { PrinterFacts } from './printer-facts.js';

const Operation = {
  createJob: 0x0005,
  sendDocument: 0x0006,
  cancelJob: 0x0008,
  getJobAttributes: 0x0009,
  getJobs: 0x000a,
} as const;

const CHUNK_BYTES = 65_536;
/** 15 seconds: then the service tries again. */
const BUSY_ATTEMPTS = 60;
const BUSY_PAUSE_MS = 250;
/** Printers cut longer names; a shorter name may belong to another document. */
const MIN_CUT_NAME = 30;

/** A document on its way to a printer. */
export interface Hand {
  readonly request: PrintRequest;
  readonly prepared: Prepared;
  /** Absent for documents without a receipt. */
  readonly facts?: PrinterFacts;
  /** Path of the printer, both in HTTP and in its URI. */
  readonly target: string;
  /** MIME type. */
  readonly format: string;
  readonly document: NonNullable<IppCall['document']>;
}

/**
 * Jobs at a printer or server. Submits in two steps: Create-Job returns a number, which the journal stores before
 * Send-Document sends the bytes. So the number of every printed job is on our disk.
 */
export class IppJobs {
  constructor(
    private readonly ipp: IppClient,
    /** Where operations on jobs go. */
    private readonly at: Pick<IppCall, 'path' | 'target'>,
    /** Values of `which-jobs` that find every job. */
    private readonly which: readonly string[],
  ) {}

  /** As `PrinterProvider.submit`. */
  async submit(hand: Hand, progress: SubmitProgress): Promise<Submitted> {
    const { request, prepared, facts, target } = hand;
    const { jobId, refused } = await this.create(hand, progress.signal);
    const ignored = await this.settle(jobId, request, [...refused]);
    progress.moved();
    await progress.created(String(jobId));
    const confirmed = facts && (await this.attributesOf(jobId, CONFIRMED).catch(() => undefined));
    await progress.halfway();
    await this.ipp.execute({
      operation: Operation.sendDocument,
      path: target,
      target,
      attributes: [
        attribute('job-id', Tag.integer, jobId),
        attribute('document-name', Tag.name, queueName(request)),
        attribute('document-format', Tag.mimeType, hand.format),
        attribute('last-document', Tag.boolean, true),
      ],
      document: hand.document,
      signal: progress.signal,
    });
    const receipt = facts && receiptOf(prepared, facts, confirmed, [...prepared.ignored, ...ignored]);
    return { spoolerJobId: String(jobId), receipt };
  }

  /** @param wholeName if the printer may have cut the name: what is left of it is enough under a known number */
  async find(documentName: string, spoolerJobId?: string, wholeName = ''): Promise<Sighting> {
    const isIt = (job: IppAttributes): boolean =>
      bearsMark(String(job.get('job-name')?.[0] ?? ''), documentName);
    const known =
      spoolerJobId === undefined ? undefined : await this.attributesOf(Number(spoolerJobId), JOB_ATTRIBUTES);
    const isCut = (name: string): boolean => name.length >= MIN_CUT_NAME && wholeName.startsWith(name);
    if (known && (isIt(known) || isCut(String(known.get('job-name')?.[0] ?? '')))) return sightingOf(known);
    for (const which of this.which) {
      const jobs = await this.answerOrNone({
        operation: Operation.getJobs,
        attributes: [attribute('which-jobs', Tag.keyword, which), requested(JOB_ATTRIBUTES)],
      });
      const job = jobs.find(isIt);
      if (job) return sightingOf(job);
    }
    return { state: 'absent' };
  }

  async withdraw(spoolerJobId: string): Promise<void> {
    await this.ipp.execute({
      ...this.at,
      operation: Operation.cancelJob,
      attributes: [attribute('job-id', Tag.integer, Number(spoolerJobId))],
    });
  }

  /** Without a number no document is sent, so after any error here nothing was submitted. */
  private async create(
    { request, prepared, target }: Hand,
    signal: AbortSignal,
  ): Promise<{ jobId: number; refused: IgnoredOption[] }> {
    const call: IppCall = {
      operation: Operation.createJob,
      path: target,
      target,
      attributes: [attribute('job-name', Tag.name, queueName(request))],
      groups: [{ tag: Tag.job, attributes: prepared.attributes }],
      signal,
    };
    const created = await this.whenNotBusy(call).catch((error: unknown) => {
      throw new NotSubmitted(
        error instanceof IppRefused ? 'SPOOLER_REFUSED' : 'SPOOLER_UNAVAILABLE',
        error instanceof Error ? error.message : String(error),
      );
    });
    const jobId = groupsOf(created, Tag.job)[0]?.get('job-id')?.[0];
    if (typeof jobId !== 'number') throw new NotSubmitted('SPOOLER_REFUSED', 'the printer gave no job id');
    return { jobId, refused: refusedOptions(groupsOf(created, Tag.unsupported)[0], request.options) };
  }

  /** Many printers take one job at a time. */
  private async whenNotBusy(call: IppCall): Promise<IppResponse> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.ipp.execute(call);
      } catch (error) {
        const isBusy = error instanceof IppRefused && error.status === BUSY;
        if (!isBusy || attempt === BUSY_ATTEMPTS) throw error;
        await pause(BUSY_PAUSE_MS, undefined, { signal: call.signal });
      }
    }
  }

  /** A printer may refuse an option that it listed; the job then waits for a document that never comes. */
  private async settle(
    jobId: number,
    { options }: PrintRequest,
    refused: IgnoredOption[],
  ): Promise<IgnoredOption[]> {
    try {
      return settleUnsupported(options, refused);
    } catch (error) {
      await this.withdraw(String(jobId)).catch(() => undefined);
      throw error;
    }
  }

  private async attributesOf(jobId: number, names: string[]): Promise<IppAttributes | undefined> {
    const [job] = await this.answerOrNone({
      operation: Operation.getJobAttributes,
      attributes: [attribute('job-id', Tag.integer, jobId), requested(names)],
    });
    return job;
  }

  private async answerOrNone(call: IppCall): Promise<IppAttributes[]> {
    try {
      return groupsOf(await this.ipp.execute({ ...this.at, ...call }), Tag.job);
    } catch (error) {
      if (error instanceof IppRefused && error.status === NOT_FOUND) return [];
      throw error;
    }
  }
}

export function requested(names: string[]): IppAttribute {
  return attribute('requested-attributes', Tag.keyword, ...names);
}

/** The bytes so many times. Calls `moved` whenever the printer has taken what was sent before. */
export function repeated(bytes: Uint8Array, times: number, moved: () => void): Hand['document'] {
  function* chunks(): Iterable<Uint8Array> {
    for (let time = 0; time < times; time++)
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
        yield bytes.subarray(at, at + CHUNK_BYTES);
        moved();
      }
  }
  return { chunks: chunks(), size: bytes.length * times };
}

function receiptOf(
  { applied, sheet }: Prepared,
  facts: PrinterFacts,
  confirmed: IppAttributes | undefined,
  ignored: IgnoredOption[],
): Receipt {
  const all: Applied = { ...appliedBy(confirmed ?? new Map(), facts), ...applied };
  const laidOut: Applied = sheet ? { ...all, sheet_mm: [sheet.width / 100, sheet.height / 100] } : all;
  return { applied: JSON.parse(JSON.stringify(laidOut)) as Applied, ignored };
}
