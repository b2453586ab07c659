import { accept, reject, type Decision } from '../../../kernel/decider.js';
import { plus } from '../../../kernel/time.js';
import type { AgentReport, ReportProgress } from './job.commands.js';
import type { JobEvent, JobEventData, LeaseRef, SpoolerEvidence } from './job.events.js';
import { failed, parked, refOf, seenAt, type Failure } from './job.outcomes.js';
import type { JobPolicy } from './job.policy.js';
import type { JobRejection } from './job.rejections.js';
import type { Job, Lease } from './job.state.js';

type JobDecision = Decision<JobEvent, JobRejection>;

/** A report under the job's newest lease. */
interface Reported {
  readonly job: Job;
  readonly lease: Lease;
  readonly command: ReportProgress;
  readonly policy: JobPolicy;
}

/**
 * What the agent saw. An accepted report without events was known already; one that only gives
 * `LateResultRecorded` came too late to change anything.
 */
export function report(job: Job, command: ReportProgress, policy: JobPolicy): JobDecision {
  if (command.computerId !== job.computerId) return reject({ code: 'JobNotFound' });
  if (job.reportsSeen.includes(command.report.id)) return accept();
  if (command.fence < job.attemptCount) return accept(recordedLate(command));
  const { lease } = job;
  if (lease?.leaseId !== command.leaseId || lease.fence !== command.fence)
    return reject({ code: 'LeaseLost' });
  const reported = { job, lease, command, policy };
  switch (job.status) {
    case 'leased':
      return beforeHandoff(reported);
    case 'accepted_by_agent':
      return lease.phase === 'handed_off' ? afterHandoff(reported) : beforeHandoff(reported);
    case 'sent_to_spooler':
      return afterHandoff(reported);
    case 'manual_review':
      return whileParked(reported);
    default:
      return afterTheEnd(reported);
  }
}

/** The spooler has seen nothing yet, so whatever went wrong is certain to be unprinted. */
function beforeHandoff(reported: Reported): JobDecision {
  const { failureClass: said, failureCode, type } = reported.command.report;
  switch (type) {
    case 'spooled':
    case 'spooler_completed':
      return reject({ code: 'HandoffNotStarted' });
    case 'rejected':
    case 'spooler_cancelled':
      return fail(reported, said === 'temporary' ? said : 'permanent', failureCode ?? DEFAULT_CODES[type]);
    default:
      return fail(reported, said === 'permanent' ? said : 'temporary', failureCode ?? DEFAULT_CODES[type]);
  }
}

/** The spooler may have the document: only proof makes a failure of a failure. */
function afterHandoff(reported: Reported): JobDecision {
  const { job, lease, command, policy } = reported;
  const { type } = command.report;
  switch (type) {
    case 'spooled':
      return lease.phase === 'spooled' ? accept() : accept(spooled(reported));
    case 'spooler_completed':
      return accept(...(lease.phase === 'spooled' ? [] : [spooled(reported)]), completed(reported));
    default:
      return (
        provenUnprinted(reported) ??
        accept(parked({ job, lease }, doubtOf(command.report), command.at, policy))
      );
  }
}

/** The result that a person was waiting for, or more doubt. */
function whileParked(reported: Reported): JobDecision {
  if (reported.command.report.type === 'spooler_completed')
    return accept(completed(reported, { late: true }));
  return provenUnprinted(reported, { late: true }) ?? accept(recordedLate(reported.command));
}

function afterTheEnd({ job, command }: Reported): JobDecision {
  const { type } = command.report;
  const known = job.status === 'spooler_completed' && (type === 'spooled' || type === 'spooler_completed');
  return known ? accept() : accept(recordedLate(command));
}

function provenUnprinted(reported: Reported, late?: { late: true }): JobDecision | undefined {
  const { type, failureCode, failureClass } = reported.command.report;
  // Who has said `spooled` cannot prove the opposite any more.
  if (type === 'not_submitted' && reported.lease.phase !== 'spooled') {
    return fail(reported, 'temporary', failureCode ?? DEFAULT_CODES[type], late);
  }
  if (type === 'spooler_cancelled' && failureClass !== 'ambiguous') {
    return fail(reported, 'permanent', DEFAULT_CODES[type], late);
  }
  return undefined;
}

function fail(
  { job, lease, command, policy }: Reported,
  failureClass: Failure['failureClass'],
  failureCode: string,
  late?: { late: true },
): JobDecision {
  const { id: reportId, message } = command.report;
  const failure = { failureClass, failureCode, reportId, ...(message !== undefined && { message }), ...late };
  return accept(...failed({ job, lease }, failure, command.at, policy));
}

function spooled({ job, lease, command: { report: said, at }, policy }: Reported): JobEvent {
  const silentAt = plus(at, policy.spoolWatchMs);
  const spooledAt = seenAt(job, said, at);
  const data = { ...refOf(lease), reportId: said.id, ...evidenceOf(said), spooledAt, silentAt };
  return { type: 'JobSpooled', data };
}

function completed({ job, lease, command, policy }: Reported, late?: { late: true }): JobEvent {
  const { report: said, at } = command;
  const contentUntil = plus(at, policy.contentRetentionMs);
  const completedAt = seenAt(job, said, at);
  const data = {
    ...refOf(lease),
    reportId: said.id,
    ...evidenceOf(said),
    completedAt,
    ...late,
    contentUntil,
  };
  return { type: 'JobCompleted', data };
}

function doubtOf(said: AgentReport): Omit<JobEventData<'ManualReviewOpened'>, 'expiresAt' | keyof LeaseRef> {
  const vanished = said.type === 'spooler_vanished' || said.type === 'not_submitted';
  return {
    reportId: said.id,
    ...evidenceOf(said),
    failureCode: vanished ? 'SPOOLER_VANISHED' : 'SPOOLER_ABORTED',
    ...(said.failureCode !== undefined && { reportedCode: said.failureCode }),
    ...(said.message !== undefined && { message: said.message }),
  };
}

function recordedLate({ leaseId, fence, report: said }: ReportProgress): JobEvent {
  const { id: reportId, type, ...rest } = said;
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { type: 'LateResultRecorded', data: { leaseId, fence, reportId, report: type, ...known } };
}

function evidenceOf({ spoolerProvider, spoolerJobId }: SpoolerEvidence): SpoolerEvidence {
  return {
    ...(spoolerProvider !== undefined && { spoolerProvider }),
    ...(spoolerJobId !== undefined && { spoolerJobId }),
  };
}

const DEFAULT_CODES = {
  not_submitted: 'NOT_SUBMITTED',
  rejected: 'REJECTED_BY_AGENT',
  spooler_failed: 'SPOOLER_FAILED',
  spooler_vanished: 'SPOOLER_VANISHED',
  spooler_cancelled: 'SPOOLER_CANCELLED_LOCALLY',
} as const;

/** What the agent is told about a report that was not refused. */
export function reportResult(events: readonly { readonly type: string }[]): 'applied' | 'duplicate' | 'late' {
  if (events.length === 0) return 'duplicate';
  return events.some(({ type }) => type === 'LateResultRecorded') ? 'late' : 'applied';
}
