import type { JobEvent, JobEventData, JobStatus } from '../../src/contexts/jobs/domain/job.events.js';
import type { Recorded } from '../../src/kernel/recorded-event.js';
import {
  MAX_HISTORY_EVENTS,
  type HistoryDetails,
  type HistoryEvent,
  type HistoryEventType,
  type HistoryOutcome,
  type JobHistory,
} from './job-history.js';

interface Line {
  readonly type: HistoryEventType;
  readonly to?: JobStatus;
  readonly outcome: HistoryOutcome;
  readonly details?: HistoryDetails;
}

/** The public timeline omits internal events. */
type Shown = Exclude<JobEvent['type'], 'LeaseInvalidated' | 'LeaseKept' | 'ContentPurged' | 'JobArchived'>;
type Lines = { readonly [T in Shown]: (data: JobEventData[T]) => Line };

const LATE = 'late_result';

const lines: Lines = {
  JobCreated: () => ({ type: 'job.created', outcome: 'ok' }),
  JobQueued: () => ({ type: 'job.queued', to: 'queued', outcome: 'ok' }),
  JobLeased: () => ({ type: 'job.leased', to: 'leased', outcome: 'ok' }),
  LeaseLapsed: ({ reason, requeued }) => ({
    type: 'job.lease_lapsed',
    to: requeued ? 'queued' : undefined,
    outcome: 'failed',
    details: { reason },
  }),
  LeaseReleased: () => ({ type: 'job.lease_released', to: 'queued', outcome: 'ok' }),
  JobAccepted: () => ({ type: 'job.accepted_by_agent', to: 'accepted_by_agent', outcome: 'ok' }),
  HandoffStarted: () => ({ type: 'job.handoff_started', outcome: 'ok' }),
  JobSpooled: ({ spoolerProvider, receipt }) => ({
    type: 'job.sent_to_spooler',
    to: 'sent_to_spooler',
    outcome: 'ok',
    details: { spooler_provider: spoolerProvider, receipt },
  }),
  JobCompleted: ({ late, spoolerProvider }) => ({
    type: 'job.spooler_completed',
    to: 'spooler_completed',
    outcome: 'ok',
    details: {
      reason: late && LATE,
      spooler_provider: spoolerProvider,
      physical_print_confirmed: false,
    },
  }),
  JobFailed: ({ late, failureCode, failureClass }) => ({
    type: 'job.failed',
    to: 'failed',
    outcome: 'failed',
    details: { reason: late && LATE, failure_code: failureCode, failure_class: failureClass },
  }),
  RetryScheduled: ({ retryDelaySeconds }) => ({
    type: 'job.retry_scheduled',
    outcome: 'scheduled',
    details: { retry_delay_seconds: retryDelaySeconds },
  }),
  JobRequeued: ({ reason }) => ({
    type: 'job.retry_submitted',
    to: 'queued',
    outcome: 'ok',
    details: { reason },
  }),
  ManualReviewOpened: ({ failureCode, reportedCode, spoolerProvider }) => ({
    type: 'job.manual_review',
    to: 'manual_review',
    outcome: 'ambiguous',
    details: {
      reason: reportedCode,
      failure_code: failureCode,
      failure_class: 'ambiguous',
      spooler_provider: spoolerProvider,
    },
  }),
  JobCancelled: ({ reason }) => ({
    type: 'job.cancelled',
    to: 'cancelled',
    outcome: 'cancelled',
    details: { reason },
  }),
  JobExpired: () => ({ type: 'job.expired', to: 'expired', outcome: 'expired' }),
  LateResultRecorded: ({ failureCode, failureClass, spoolerProvider }) => ({
    type: 'job.late_result_recorded',
    outcome: 'recorded',
    details: {
      reason: LATE,
      failure_code: failureCode,
      failure_class: failureClass,
      spooler_provider: spoolerProvider,
    },
  }),
  JobMoved: ({ fromPrinterId, printerId }) => ({
    type: 'job.moved',
    to: 'queued',
    outcome: 'ok',
    details: { from_printer_id: fromPrinterId, to_printer_id: printerId },
  }),
  JobReprinted: ({ reprintId }) => ({
    type: 'job.reprinted',
    outcome: 'recorded',
    details: { reprint_job_id: reprintId },
  }),
};

const HISTORY_EVENTS: ReadonlySet<string> = new Set(Object.keys(lines));

/** No view, because a history is read for one job at a time. @param events the whole stream, in order */
export function historyOf(events: Iterable<Recorded<JobEvent>>): JobHistory {
  const history: HistoryEvent[] = [];
  let status: JobStatus | undefined;
  for (const event of events) {
    if (!HISTORY_EVENTS.has(event.type)) continue;
    const lineOf = lines[event.type as Shown] as (data: object) => Line;
    const line = lineOf(event.data);
    history.push(historyEvent(status, line, event.id, event.metadata.at));
    status = line.to ?? status;
  }
  if (history.length <= MAX_HISTORY_EVENTS) return { history };
  return { history: history.slice(-MAX_HISTORY_EVENTS), history_truncated: true };
}

function historyEvent(
  status: JobStatus | undefined,
  { type, to, outcome, details }: Line,
  eventId: string,
  at: string,
): HistoryEvent {
  const known = details && withValues(details);
  return {
    event_id: eventId,
    event_type: type,
    ...(to && status && { previous_status: status }),
    ...(to && { new_status: to }),
    outcome,
    created_at: at,
    ...(known && { details: known }),
  };
}

function withValues(details: HistoryDetails): HistoryDetails | undefined {
  const known = Object.entries(details).filter(([, value]) => value !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}
