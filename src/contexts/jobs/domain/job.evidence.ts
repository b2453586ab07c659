import { accept, reject } from '../../../kernel/decider.js';
import { plus, type Instant } from '../../../kernel/time.js';
import type {
  CallingSession,
  ReconcileLease,
  ReportProgress,
  SuspectClone,
  JobDecision,
} from './job.commands.js';
import type { JobEvent, LeaseRef, Succession } from './job.events.js';
import { leaseIn } from './job.lease.js';
import { completed, evidenceOf, parked, type Doubt } from './job.outcomes.js';
import { LATE_RESULTS_KEPT, type JobPolicy } from './job.policy.js';
import { isOrWasOf, type Job, type Lease } from './job.state.js';

/** True if no hand-off from this fence on is known. A manual retry settles all earlier fences. */
export function isThoughtUnprinted(job: Job, fence: number): boolean {
  switch (job.status) {
    case 'queued':
      return !job.retriedByPerson || fence > job.attemptCount;
    case 'leased':
      return true;
    case 'accepted_by_agent':
      return job.lease?.phase === 'accepted';
    case 'failed':
      return job.nextAttemptAt !== undefined;
    default:
      return false;
  }
}

/** Spooler evidence for a job believed unprinted parks it, or completes it if the spooler did. */
export function unexpected(
  job: Job,
  command: ReportProgress,
  policy: JobPolicy,
): JobDecision<ReportProgress> {
  const { report: said, leaseId, fence, at } = command;
  const attempt = { job, lease: { leaseId, fence } };
  if (said.type === 'spooler_completed') return accept(completed(attempt, said, at, policy, { late: true }));
  const message =
    said.message ?? 'The agent handed it to the spooler, and the service knows nothing of that.';
  return accept(parkedOn(attempt, { reportId: said.id, ...evidenceOf(said), message }, at, policy));
}

/** A lease unknown to this store, with the current or a higher fence, proves a rollback. */
export function underUnknownLease(
  job: Job,
  command: ReportProgress,
  policy: JobPolicy,
): JobDecision<ReportProgress> {
  const { report: said, leaseId, fence, at } = command;
  if (!SEEN_AT_THE_SPOOLER.has(said.type)) return reject({ code: 'LeaseLost' });
  if (isThoughtUnprinted(job, fence)) return unexpected(job, command, policy);
  if (job.status !== 'manual_review') return reject({ code: 'LeaseLost' });
  const decided = fence > job.attemptCount || !wasHandedOff(job.lease);
  if (said.type === 'spooler_completed' && decided) {
    return accept(completed({ job, lease: { leaseId, fence } }, said, at, policy, { late: true }));
  }
  return late(job, command);
}

const SEEN_AT_THE_SPOOLER: ReadonlySet<string> = new Set<ReportProgress['report']['type']>([
  'spooled',
  'spooler_completed',
  'spooler_failed',
  'spooler_cancelled',
  'spooler_vanished',
]);

export function late(
  job: Job,
  { leaseId, fence, report: said }: ReportProgress,
): JobDecision<ReportProgress> {
  if (job.lateResults >= LATE_RESULTS_KEPT) return reject({ code: 'LateResultNotKept' });
  const { id: reportId, type, receipt: _receipt, ...rest } = said;
  const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return accept<JobEvent>({
    type: 'LateResultRecorded',
    data: { leaseId, fence, reportId, report: type, ...known },
  });
}

export function reconcileLease(
  job: Job,
  command: ReconcileLease,
  policy: JobPolicy,
): JobDecision<ReconcileLease> {
  const { computerId, sessionId, replaced, named, at } = command;
  if (!isOrWasOf(job, computerId)) return reject({ code: 'JobNotFound' });
  const { leaseId, fence, touched } = named;
  if (touched) {
    if (fence < job.attemptCount || !isThoughtUnprinted(job, fence)) return accept();
    const message = "The agent's journal names a hand-off of which the service knows nothing.";
    return accept(parkedOn({ job, lease: { leaseId, fence } }, { message }, at, policy));
  }
  const lease = leaseIn(job, 'leased', leaseId) ?? leaseIn(job, 'accepted', leaseId);
  if (lease?.fence !== fence || !replaced.includes(lease.sessionId ?? '')) return accept();
  return accept<JobEvent>({ type: 'LeaseKept', data: { leaseId, fence, sessionId } });
}

/** Ignores jobs that have failed again or ended since. */
export function suspectClone(job: Job, { succession, at }: SuspectClone, policy: JobPolicy): JobEvent[] {
  const { succession: believed, lease } = job;
  if (job.status !== 'failed' || job.nextAttemptAt === undefined || !believed) return [];
  if (believed.permitSession !== succession.permitSession || believed.provenBy !== succession.provenBy) {
    return [];
  }
  const message =
    'The session with the permit still runs, so the one that said that nothing was submitted is no restart of it.';
  return [parked({ job, lease }, { failureCode: 'CLONE_SUSPECTED', message }, at, policy)];
}

/** Conditions for accepting a proof that nothing was printed; undefined for an unrelated session. */
export interface Trust {
  /** Set for the proof of a successor, which relies on its predecessor's silence. */
  readonly succession?: Succession;
  readonly notBefore?: Instant;
}

export function trustIn(
  { sessionId, startedAt, predecessors }: CallingSession,
  { permitSessionId }: Lease,
  at: Instant,
  { successionMs }: JobPolicy,
): Trust | undefined {
  if (sessionId === undefined || permitSessionId === undefined) return undefined;
  if (sessionId === permitSessionId) return {};
  if (!predecessors.includes(permitSessionId)) return undefined;
  return {
    succession: { permitSession: permitSessionId, provenBy: sessionId },
    notBefore: plus(startedAt ?? at, successionMs),
  };
}

function wasHandedOff(lease: Lease | undefined): boolean {
  return lease?.phase === 'handed_off' || lease?.phase === 'spooled';
}

function parkedOn(
  attempt: { readonly job: Job; readonly lease: LeaseRef },
  seen: Omit<Doubt, 'failureCode'>,
  at: Instant,
  policy: JobPolicy,
): JobEvent {
  return parked(attempt, { ...seen, failureCode: 'UNEXPECTED_EVIDENCE' }, at, policy);
}
