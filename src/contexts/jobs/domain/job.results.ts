import { accept, reject } from '../../../kernel/decider.js';
import { plus } from '../../../kernel/time.js';
import type { ReportProgress, JobDecision } from './job.commands.js';
import type { JobEvent, ReportType } from './job.events.js';
import {
  isThoughtUnprinted,
  late,
  trustIn,
  underUnknownLease,
  unexpected,
  type Trust,
} from './job.evidence.js';
import {
  completed,
  evidenceOf,
  failed,
  parked,
  refOf,
  seenAt,
  type Doubt,
  type Failure,
} from './job.outcomes.js';
import type { JobPolicy } from './job.policy.js';
import { isOrWasOf, type Job, type Lease } from './job.state.js';

interface Reported {
  readonly job: Job;
  readonly lease: Lease;
  readonly command: ReportProgress;
  readonly policy: JobPolicy;
}

/** Without events: a known report. With only `LateResultRecorded`: too late to change anything. */
export function report(job: Job, command: ReportProgress, policy: JobPolicy): JobDecision<ReportProgress> {
  if (!isOrWasOf(job, command.computerId)) return reject({ code: 'JobNotFound' });
  if (job.reportsSeen.includes(command.report.id)) return accept();
  if (command.fence < job.attemptCount) return late(job, command);
  const { lease } = job;
  if (lease?.leaseId !== command.leaseId || lease.fence !== command.fence) {
    return underUnknownLease(job, command, policy);
  }
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

/**
 * Without a permit a failure is certainly unprinted, if the Agent does not doubt it; anything else is unexpected
 * evidence.
 */
function beforeHandoff(reported: Reported): JobDecision<ReportProgress> {
  const { job, command, policy } = reported;
  const { type, failureCode, failureClass = WITHOUT_CLASS[type] } = command.report;
  if (type === 'spooled' || type === 'spooler_completed') return unexpected(job, command, policy);
  const said = type === 'rejected' && failureClass === 'ambiguous' ? WITHOUT_CLASS[type] : failureClass;
  if (said === undefined || said === 'ambiguous') return unexpected(job, command, policy);
  return fail(reported, said, failureCode ?? DEFAULT_CODES[type]);
}

/** What a report means that names no class. After the others, the spooler had the document. */
const WITHOUT_CLASS: { readonly [T in ReportType]?: Failure['failureClass'] } = {
  rejected: 'permanent',
  spooler_cancelled: 'permanent',
  not_submitted: 'temporary',
};

/** The spooler may have the document: without proof of the opposite, a failure parks the job. */
function afterHandoff(reported: Reported): JobDecision<ReportProgress> {
  const { job, lease, command, policy } = reported;
  const { type } = command.report;
  switch (type) {
    case 'spooled':
      return lease.phase === 'spooled' ? accept() : accept(spooled(reported));
    case 'spooler_completed':
      return accept(...(lease.phase === 'spooled' ? [] : [spooled(reported)]), completion(reported));
    default:
      return (
        provenUnprinted(reported) ?? accept(parked({ job, lease }, doubtOf(reported), command.at, policy))
      );
  }
}

function whileParked(reported: Reported): JobDecision<ReportProgress> {
  if (reported.command.report.type === 'spooler_completed')
    return accept(completion(reported, { late: true }));
  return provenUnprinted(reported, { late: true }) ?? late(reported.job, reported.command);
}

function afterTheEnd({ job, command, policy }: Reported): JobDecision<ReportProgress> {
  const { type } = command.report;
  const success = type === 'spooled' || type === 'spooler_completed';
  if (success && isThoughtUnprinted(job, command.fence)) return unexpected(job, command, policy);
  return success && job.status === 'spooler_completed' ? accept() : late(job, command);
}

function provenUnprinted(reported: Reported, late?: { late: true }): JobDecision<ReportProgress> | undefined {
  const { lease, command, policy } = reported;
  const trust = isProof(reported) && trustIn(command.session, lease, command.at, policy);
  if (!trust) return undefined;
  const { type, failureCode } = command.report;
  return type === 'not_submitted'
    ? fail(reported, 'temporary', failureCode ?? DEFAULT_CODES[type], { ...late, ...trust })
    : fail(reported, 'permanent', DEFAULT_CODES.spooler_cancelled, { ...late });
}

/** Once the spooler had the document, `not_submitted` no longer proves that nothing was printed. */
function isProof({ lease, command }: Reported): boolean {
  const { type, failureClass } = command.report;
  if (failureClass === 'ambiguous') return false;
  return type === 'spooler_cancelled' || (type === 'not_submitted' && lease.phase !== 'spooled');
}

function fail(
  { job, lease, command, policy }: Reported,
  failureClass: Failure['failureClass'],
  failureCode: string,
  { notBefore, ...more }: Trust & { late?: true } = {},
): JobDecision<ReportProgress> {
  const { id: reportId, message } = command.report;
  const failure = { failureClass, failureCode, reportId, ...(message !== undefined && { message }), ...more };
  return accept(...failed({ job, lease }, failure, command.at, policy, notBefore));
}

function spooled({ job, lease, command: { report: said, at }, policy }: Reported): JobEvent {
  const silentAt = plus(at, policy.spoolWatchMs);
  const spooledAt = seenAt(job, said, at);
  const data = { ...refOf(lease), reportId: said.id, ...evidenceOf(said), spooledAt, silentAt };
  return { type: 'JobSpooled', data: { ...data, ...(said.receipt && { receipt: said.receipt }) } };
}

function completion({ job, lease, command, policy }: Reported, late?: { late: true }): JobEvent {
  return completed({ job, lease }, command.report, command.at, policy, late);
}

function doubtOf(reported: Reported): Doubt {
  const { report: said } = reported.command;
  const common = {
    reportId: said.id,
    ...evidenceOf(said),
    ...(said.failureCode !== undefined && { reportedCode: said.failureCode }),
  };
  if (isProof(reported)) {
    const message =
      'A session that never had the permit says that nothing was printed: two agents may use one credential.';
    return { ...common, failureCode: 'CLONE_SUSPECTED', message };
  }
  const vanished = said.type === 'spooler_vanished' || said.type === 'not_submitted';
  const failureCode = vanished ? 'SPOOLER_VANISHED' : 'SPOOLER_ABORTED';
  return { ...common, failureCode, ...(said.message !== undefined && { message: said.message }) };
}

const DEFAULT_CODES = {
  not_submitted: 'NOT_SUBMITTED',
  rejected: 'REJECTED_BY_AGENT',
  spooler_failed: 'SPOOLER_FAILED',
  spooler_vanished: 'SPOOLER_VANISHED',
  spooler_cancelled: 'SPOOLER_CANCELLED_LOCALLY',
} as const;

export function reportResult(events: readonly { readonly type: string }[]): 'applied' | 'duplicate' | 'late' {
  if (events.length === 0) return 'duplicate';
  return events.some(({ type }) => type === 'LateResultRecorded') ? 'late' : 'applied';
}
