import type { FailureClass, JobStatus } from '../../src/contexts/jobs/domain/job.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

export type HistoryOutcome =
  'ok' | 'failed' | 'scheduled' | 'ambiguous' | 'cancelled' | 'expired' | 'recorded';

export type HistoryEventType =
  | 'job.created'
  | 'job.queued'
  | 'job.leased'
  | 'job.lease_lapsed'
  | 'job.lease_released'
  | 'job.accepted_by_agent'
  | 'job.handoff_started'
  | 'job.sent_to_spooler'
  | 'job.spooler_completed'
  | 'job.failed'
  | 'job.retry_scheduled'
  | 'job.retry_submitted'
  | 'job.manual_review'
  | 'job.cancelled'
  | 'job.expired'
  | 'job.late_result_recorded';

export interface HistoryDetails {
  readonly reason?: string;
  readonly failure_code?: string;
  readonly failure_class?: FailureClass;
  /** Whole seconds, rounded up. */
  readonly retry_delay_seconds?: number;
  readonly spooler_provider?: string;
  /** Nobody ever asserts paper. */
  readonly physical_print_confirmed?: false;
}

/** One line of a job's timeline (api-v1 2.6, decisions.md 5.2). */
export interface HistoryEvent {
  /** Id of the stored event. */
  readonly event_id: string;
  readonly event_type: HistoryEventType;
  /** Present, like `new_status`, when the job moved. */
  readonly previous_status?: JobStatus;
  readonly new_status?: JobStatus;
  readonly outcome: HistoryOutcome;
  readonly created_at: Instant;
  readonly details?: HistoryDetails;
}

export interface JobHistoryDocument {
  readonly job_id: string;
  readonly account_id: string;
  /** Where the job stands after the last line; absent until it is queued. */
  readonly status?: JobStatus;
  /** Oldest first. */
  readonly history: readonly HistoryEvent[];
}

export const jobHistoryView: ViewDefinition = { name: 'job-history', version: 1, indexes: [] };
