import type {
  ContentType,
  FailureClass,
  JobSource,
  JobStatus,
} from '../../src/contexts/jobs/domain/job.events.js';
import type { PrintOptions, Receipt } from '../../src/contexts/jobs/domain/job.events.js';
import { HELD_STATUSES } from '../../src/contexts/jobs/domain/job.rules.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';
import type { Traceparent } from '../../src/kernel/tracing.js';

type RetryState = 'none' | 'scheduled' | 'submitted' | 'completed' | 'exhausted' | 'manual_review';
/** Splits failed jobs by whether a retry is scheduled. */
export type Listing = JobStatus | 'retrying';

/** Jobs that wait for their printer: an Agent may hold their lease, but has not accepted them. */
export const WAITING_LISTINGS = [
  'created',
  'queued',
  'leased',
  'retrying',
] as const satisfies readonly Listing[];

export const AT_THE_AGENT = ['accepted_by_agent', 'sent_to_spooler'] as const satisfies readonly Listing[];
/** What the queue of a printer shows. */
export const QUEUE_LISTINGS = [...WAITING_LISTINGS, ...AT_THE_AGENT];

/** One job. Resources show some of its fields (src/api/resources/print-job.resource.ts, src/api/partner/jobs/job.resource.ts). */
export interface JobDocument {
  readonly job_id: string;
  readonly printer_id: string;
  readonly printer_code?: string;
  readonly printer_name?: string;
  readonly computer_name?: string;
  readonly external_id?: string;
  readonly title?: string;
  /** `searchKey` of the title. */
  readonly title_key?: string;
  readonly content_type: ContentType;
  readonly content_hash: string;
  readonly content_size_bytes: number;
  readonly copies: number;
  /** As given; absent without any. */
  readonly options?: PrintOptions;
  readonly status: JobStatus;
  readonly attempt_count: number;
  readonly retry_count: number;
  readonly max_auto_retries: number;
  /** The job whose document it prints again. */
  readonly reprint_of?: string;
  readonly retry_state: RetryState;
  readonly next_attempt_at?: Instant;
  readonly last_attempt_at?: Instant;
  readonly last_failure_at?: Instant;
  readonly failure_code?: string;
  readonly failure_class?: FailureClass;
  readonly failure_message?: string;
  readonly manual_review_at?: Instant;
  readonly spooler_provider?: string;
  readonly spooler_job_id?: string;
  readonly spooler_submitted_at?: Instant;
  readonly spooler_completed_at?: Instant;
  /** Of the newest attempt. */
  readonly receipt?: Receipt;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly expires_at: Instant;
  readonly cancelled_at?: Instant;
  readonly cancellation_reason?: string;
  readonly completed_at?: Instant;
  readonly account_id: string;
  readonly computer_id: string;
  readonly source: JobSource;
  /** One index serves the filters of both surfaces. */
  readonly listed_as: Listing;
  readonly content_available: boolean;
  /** `YYYY-MM` of the creation in UTC, by which plans count. */
  readonly created_month: string;
  /** `YYYY-MM-DDTHH` of the creation in UTC, by which charts count. */
  readonly created_hour: string;
  /** Bound of the time until the job first was at the spooler, as `spooledWithin` says it; absent before. */
  readonly spooled_within?: string;
  /** Newest lease, also after its end; its fence is `attempt_count`. */
  readonly lease_id?: string;
  /** Of the newest attempt; from this time the job may have been printed. */
  readonly handoff_at?: Instant;
  readonly expired_at?: Instant;
  readonly sequence: number;
  /** Of the newest request about the job whose trace is sampled. */
  readonly traceparent?: Traceparent;
}

export const JOBS_OF_PRINTERS = ['account_id', 'printer_id', 'listed_as'];
/** One total an hour, status and bound serves all charts of jobs. */
export const JOBS_BY_HOUR = ['created_hour', 'listed_as', 'spooled_within'];
export const JOBS_BY_HOUR_OF_ACCOUNT = ['account_id', ...JOBS_BY_HOUR];

export const jobView: ViewDefinition<JobDocument> = {
  name: 'job-view',
  version: 5,
  indexes: [
    { fields: ['listed_as'] },
    { fields: ['account_id'] },
    { fields: ['account_id', 'listed_as'] },
    { fields: ['account_id', 'printer_id'] },
    { fields: ['account_id', 'printer_id', 'listed_as'] },
    { fields: ['account_id', 'external_id'] },
    { fields: ['account_id', 'title_key'] },
    { fields: ['printer_id'], onlyWhen: { field: 'listed_as', in: ['queued'] }, inLogOrder: true },
    {
      fields: ['account_id', 'printer_id', 'listed_as'],
      onlyWhen: { field: 'listed_as', in: QUEUE_LISTINGS },
      inLogOrder: true,
    },
    { fields: ['computer_id'], onlyWhen: { field: 'listed_as', in: [...HELD_STATUSES, 'retrying'] } },
    { fields: ['lease_id'] },
    // Of the timers of the job, which the engine keeps in its document.
    { fields: ['due_at'] },
  ],
  volatileFields: ['due_at'],
  countBy: [
    ['account_id'],
    ['account_id', 'listed_as'],
    ['account_id', 'printer_id'],
    JOBS_OF_PRINTERS,
    ['account_id', 'created_month'],
    JOBS_BY_HOUR_OF_ACCOUNT,
    JOBS_BY_HOUR,
    ['listed_as'],
  ],
};

/** Text that a search compares: without differences of case and of width. */
export function searchKey(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

export function listingOf(status: JobStatus, retryState: RetryState): Listing {
  return status === 'failed' && retryState === 'scheduled' ? 'retrying' : status;
}

export function listingsOf(status: JobStatus): readonly Listing[] {
  return status === 'failed' ? ['failed', 'retrying'] : [status];
}

/** Statuses of jobs that wait, or are at the Agent or the spooler. */
export const UNFINISHED: readonly JobStatus[] = ['created', 'queued', ...HELD_STATUSES];

export interface JobFilter {
  readonly status?: JobStatus;
  readonly printerId?: string;
  readonly externalId?: string;
}

/** Filter of the view by its indexes. */
export function whereOf(accountId: string, { status, printerId, externalId }: JobFilter) {
  return {
    account_id: accountId,
    ...(printerId !== undefined && { printer_id: printerId }),
    ...(externalId !== undefined && { external_id: externalId }),
    ...(status !== undefined && { listed_as: listingsOf(status) }),
  };
}
