import type { FailureClass, JobStatus } from '../../src/contexts/jobs/domain/job.events.js';
import type { Receipt } from '../../src/contexts/jobs/domain/job.events.js';
import type { Instant } from '../../src/kernel/time.js';

export const HISTORY_OUTCOMES = [
  'ok',
  'failed',
  'scheduled',
  'ambiguous',
  'cancelled',
  'expired',
  'recorded',
] as const;

export type HistoryOutcome = (typeof HISTORY_OUTCOMES)[number];

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
  | 'job.late_result_recorded'
  | 'job.reprinted'
  | 'job.moved';

export interface HistoryDetails {
  readonly reason?: string;
  readonly failure_code?: string;
  readonly failure_class?: FailureClass;
  /** Whole seconds, rounded up. */
  readonly retry_delay_seconds?: number;
  readonly spooler_provider?: string;
  readonly receipt?: Receipt;
  readonly reprint_job_id?: string;
  readonly from_printer_id?: string;
  readonly to_printer_id?: string;
  /** Always false: no API can prove a printed page. */
  readonly physical_print_confirmed?: false;
}

export interface HistoryEvent {
  readonly event_id: string;
  readonly event_type: HistoryEventType;
  /** Present, like `new_status`, if the status changed. */
  readonly previous_status?: JobStatus;
  readonly new_status?: JobStatus;
  readonly outcome: HistoryOutcome;
  readonly created_at: Instant;
  readonly details?: HistoryDetails;
}

export interface JobHistory {
  /** Oldest first, at most `MAX_HISTORY_EVENTS`. */
  readonly history: readonly HistoryEvent[];
  readonly history_truncated?: true;
}

/** Drops the oldest lines, because the newest explain the current state. */
export const MAX_HISTORY_EVENTS = 1_000;
