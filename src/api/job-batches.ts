import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { JobDocument } from '../../projections/job-view/job-view.js';
import { JobQueries } from '../../projections/job-view/job-view.queries.js';
import { SubmitJobs, type Submitted } from '../contexts/jobs/index.js';
import { RecentRestore } from '../contexts/recovery/index.js';
import { answer, type Answer } from '../http/answer.js';
import { readItem } from '../http/admission/content-checks.guard.js';
import { MAX_JOBS } from '../http/body/read-body.js';
import { errorBody } from '../http/error.filter.js';
import { ApiError } from '../http/errors/api-error.js';
import { CORRELATION_ID } from '../http/request.js';
import type { Surface } from '../http/surface.js';
import { Field, optional } from '../http/validation/field.js';
import { eachApart, integer, text } from '../http/validation/rules.js';
import type { Origin } from '../kernel/recorded-event.js';
import { Clock, type Instant, type Milliseconds } from '../kernel/time.js';
import { refusalOf } from './errors/answers.js';
import { Turns } from './turns.js';
import {
  type CreationCodes,
  DOCUMENT_EXAMPLE,
  draftOf,
  PrintRequest,
  restoredFrom,
} from './print-request.js';

/** As the header of a single create. */
export const idempotencyKey = text({
  min: 8,
  max: 128,
  pattern: CORRELATION_ID,
  message: 'must be 8 to 128 characters of A-Z a-z 0-9 . _ : -',
});

/** A job of a list: the body of a create, with its key. */
export class JobOfBatch extends PrintRequest {
  @Field(idempotencyKey, { description: 'That of a single create: both make the job once' })
  idempotency_key!: string;
}

export class JobsBody {
  @Field(eachApart('jobs', () => JobOfBatch, MAX_JOBS)) jobs!: readonly unknown[];
}

export class BatchResult {
  @Field(integer(200, 599), { description: 'That of a single create with this job' }) status!: number;
  @Field(text({ max: 64 })) code!: string;
  @Field(text({ max: 1000 }), optional) message?: string;
}

/** What the operations of all surfaces have in common. */
export const BATCHES = {
  summary: 'Create many print jobs',
  description:
    'Creates 1 to 100 jobs, each exactly once per `idempotency_key`, and answers one result for each in their order, ' +
    'with the status and code of a single create. A refused job spoils no other. Jobs for one printer are queued in ' +
    'the order of the list. Repeat the whole request if its answer is lost, or is 503: no job is created twice.',
  limit: { perMinute: 60 },
  carriesContent: true,
  body: JobsBody,
} as const;

export const batchExample = (printer_id: string) => ({
  jobs: [{ idempotency_key: 'order-4711', printer_id, ...DOCUMENT_EXAMPLE }],
});

interface Batch<R> {
  readonly surface: Surface;
  readonly source: 'integration' | 'partner';
  readonly accountId: string;
  readonly jobs: readonly unknown[];
  readonly by: Origin;
  readonly codes: CreationCodes;
  show(job: JobDocument, now: Instant): R;
}

type Readable = SubmitJobs['jobs'][number];
type Result<R> = BatchResult & { readonly data?: R };

/**
 * On server stores a list appends 16 streams at once, over one connection: those of 64 lists would wait there for longer
 * than an append may take. Each key sends 60 lists a minute at most.
 */
const LISTS = { ofProcess: 8, ofAccount: 4, ofOwner: 4, waiting: 256 };
/** Clients and proxies often give up after a minute; a repeat makes each job once. */
const PATIENCE_MS: Milliseconds = 30_000;

@Injectable()
export class JobBatches {
  private readonly turns: Turns;

  constructor(
    private readonly commands: CommandBus,
    private readonly jobs: JobQueries,
    private readonly restore: RecentRestore,
    private readonly clock: Clock,
  ) {
    this.turns = new Turns('lists of jobs', LISTS, { clock, atMost: PATIENCE_MS });
  }

  /** @throws ApiError, UnavailableError for what ends the whole request */
  async submit<R extends object>(batch: Batch<R>): Promise<Answer> {
    const { accountId } = batch;
    const end = await this.turns.take(accountId, accountId);
    return this.submitNow(batch).finally(end);
  }

  private async submitNow<R extends object>(batch: Batch<R>): Promise<Answer> {
    const { accountId, by } = batch;
    const at = this.clock.now();
    const read = batch.jobs.map((job) => this.read(batch, job));
    const jobs = read.filter((job): job is Readable => !(job instanceof ApiError));
    const submitted = await this.commands.execute(new SubmitJobs({ accountId, jobs, at, by }));
    const answers = submitted[Symbol.iterator]();
    const results = read.map(async (job) =>
      job instanceof ApiError ? refused(batch, job) : this.resultOf(batch, answers.next().value!, at),
    );
    return answer({ results: await Promise.all(results) }, { headers: restoredFrom(this.restore, at) });
  }

  private read({ surface, accountId, source }: Batch<object>, given: unknown): Readable | ApiError {
    try {
      const job = readItem(JobOfBatch, given, surface);
      return { draft: draftOf(accountId, source, job), idempotencyKey: job.idempotency_key };
    } catch (error) {
      if (error instanceof ApiError) return error;
      throw error;
    }
  }

  private async resultOf<R extends object>(
    batch: Batch<R>,
    submitted: Submitted,
    at: Instant,
  ): Promise<Result<R>> {
    const { accountId, source, codes } = batch;
    if (!submitted.ok) {
      const { rejection } = submitted;
      const error = source === 'partner' ? refusalOf(source, rejection) : refusalOf(source, rejection);
      return refused(batch, error);
    }
    const job = await this.jobs.getSubmittedJob(accountId, submitted);
    if (!job) throw new ApiError('unavailable');
    const { status, code } = submitted.replayed
      ? { status: 200, code: codes.replayed }
      : { status: 201, code: codes.created };
    return { status, code, data: batch.show(job, at) };
  }
}

function refused({ surface, by }: Batch<object>, error: ApiError): BatchResult {
  const { correlationId, requestId = correlationId } = by;
  const { status, body } = errorBody(surface, error, { requestId, correlationId });
  return { status, code: body.code, message: body.message };
}
