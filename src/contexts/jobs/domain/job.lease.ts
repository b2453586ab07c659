import { accept, reject } from '../../../kernel/decider.js';
import { earlier, plus, type Instant, type Milliseconds } from '../../../kernel/time.js';
import type {
  AcceptJob,
  AgentGone,
  CallingSession,
  ContentLost,
  ExpireLease,
  GrantLease,
  ReleaseLease,
  VoidLease,
  JobDecision,
  JobRejection,
} from './job.commands.js';
import type { JobEvent, JobEventData, JobStatus } from './job.events.js';
import { expired, failed, refOf } from './job.outcomes.js';
import { LAPSES_IN_A_ROW, LONGEST_PAUSE_MS, RELEASES_IN_A_ROW, type JobPolicy } from './job.policy.js';
import { isOrWasOf, type Job, type Lease } from './job.state.js';

export function grant(
  job: Job & { readonly status: JobStatus },
  command: GrantLease,
  policy: JobPolicy,
): JobDecision<GrantLease> {
  const { leaseId, printerId, computerId, sessionId, at } = command;
  if (computerId !== job.computerId) return reject({ code: 'JobNotFound' });
  if (job.status === 'leased' && job.lease?.leaseId === leaseId) return accept();
  if (job.status !== 'queued' || printerId !== job.printerId)
    return reject({ code: 'JobNotQueued', status: job.status });
  if (at >= job.expiresAt) return reject({ code: 'JobExpired' });
  if (job.options && !command.takesOptions) return reject({ code: 'OptionsNotTaken' });
  if (job.notBefore !== undefined && at < job.notBefore) {
    return reject({ code: 'JobNotGrantableYet', until: job.notBefore });
  }
  const leaseUntil = plus(at, policy.leaseMs);
  const fence = job.attemptCount + 1;
  return accept<JobEvent>({ type: 'JobLeased', data: { leaseId, fence, computerId, sessionId, leaseUntil } });
}

export function expireLease(job: Job, command: ExpireLease, policy: JobPolicy): JobDecision<ExpireLease> {
  const lease = leaseIn(job, 'leased', command.leaseId);
  return lease ? accept(...lapsed(job, lease, 'silence', command.at, policy)) : accept();
}

export function release(job: Job, command: ReleaseLease): JobDecision<ReleaseLease> {
  if (!isOrWasOf(job, command.computerId)) return reject({ code: 'JobNotFound' });
  const { lease } = job;
  if (lease?.leaseId !== command.leaseId) return reject({ code: 'LeaseLost' });
  if (lease.phase === 'released') return accept();
  if (leaseIn(job, 'leased', command.leaseId)) {
    if (!isHolder(command.session, lease)) return reject({ code: 'LeaseLost' });
    const pause = pauseAfter(job.releasesInARow + 1);
    const data = { ...refOf(lease), ...(pause > 0 && { notBefore: plus(command.at, pause) }) };
    return accept<JobEvent>({ type: 'LeaseReleased', data });
  }
  const accepted = job.status === 'accepted_by_agent' || job.status === 'sent_to_spooler';
  return reject({ code: accepted ? 'LeaseNotReleasable' : 'LeaseLost' });
}

/** Excludes handed-off jobs: the document may be printing without the agent. */
export function voidLease(
  job: Job,
  { leaseId, replaced, at }: VoidLease,
  policy: JobPolicy,
): JobDecision<VoidLease> {
  if (!replaced.includes(job.lease?.sessionId ?? '')) return accept();
  const leased = leaseIn(job, 'leased', leaseId);
  if (leased) return accept(...lapsed(job, leased, 'session_replaced', at, policy));
  return lost(job, leaseId, at, policy);
}

export function agentGone(job: Job, { leaseId, at }: AgentGone, policy: JobPolicy): JobDecision<AgentGone> {
  return lost(job, leaseId, at, policy);
}

/** Excludes handed-off jobs: the agent has the document, and the spooler decides. */
export function contentLost(job: Job, command: ContentLost, policy: JobPolicy): JobDecision<ContentLost> {
  const { computerId, reason, at } = command;
  if (computerId !== job.computerId) return reject({ code: 'JobNotFound' });
  const leaseId = job.lease?.leaseId ?? '';
  const lease = leaseIn(job, 'leased', leaseId) ?? leaseIn(job, 'accepted', leaseId);
  if (!lease) return accept();
  return accept(...failed({ job, lease }, { failureClass: 'permanent', ...LOSSES[reason] }, at, policy));
}

const LOSSES = {
  missing: {
    failureCode: 'CONTENT_NOT_FOUND',
    message: 'The service has lost the document. Nothing was printed.',
  },
  damaged: {
    failureCode: 'CONTENT_DAMAGED',
    message: "The document is damaged in the service's store. Nothing was printed.",
  },
} as const;

export function acceptJob(job: Job, command: AcceptJob, policy: JobPolicy): JobDecision<AcceptJob> {
  const refusal = standing(job, command);
  if (refusal) return reject(refusal);
  if (!isHolder(command.session, job.lease)) return reject({ code: 'LeaseLost' });
  if (command.contentHash !== job.contentHash) return reject({ code: 'ContentMismatch' });
  if (job.status === 'accepted_by_agent') return accept();
  const { leaseId, fence, at } = command;
  if (at >= job.expiresAt) return accept(...expired(job, at, policy));
  const graceAtMost = plus(at, policy.spoolWatchMs);
  const graceUntil = earlier(plus(at, policy.acceptGraceMs), graceAtMost);
  return accept<JobEvent>({ type: 'JobAccepted', data: { leaseId, fence, graceUntil, graceAtMost } });
}

export function standing(
  job: Job,
  claim: { computerId: string; leaseId: string; fence: number },
): Extract<JobRejection, { code: 'JobNotFound' | 'LeaseLost' | 'JobExpired' }> | undefined {
  if (!isOrWasOf(job, claim.computerId)) return { code: 'JobNotFound' };
  if (job.lease?.leaseId !== claim.leaseId || job.lease.fence !== claim.fence) return { code: 'LeaseLost' };
  if (job.status === 'leased' || job.status === 'accepted_by_agent') return undefined;
  return { code: job.status === 'expired' ? 'JobExpired' : 'LeaseLost' };
}

/** A newer session must take the lease over first. */
export function isHolder({ sessionId }: CallingSession, lease: Lease | undefined): boolean {
  return sessionId !== undefined && lease?.sessionId === sessionId;
}

export function leaseIn(job: Job, phase: Lease['phase'], leaseId: string): Lease | undefined {
  return job.status === STATUS_OF[phase] && job.lease?.phase === phase && job.lease.leaseId === leaseId
    ? job.lease
    : undefined;
}

function pauseAfter(releasesInARow: number): Milliseconds {
  if (releasesInARow < RELEASES_IN_A_ROW) return 0;
  return Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** (releasesInARow - RELEASES_IN_A_ROW));
}

const STATUS_OF: Partial<Record<Lease['phase'], JobStatus>> = {
  leased: 'leased',
  accepted: 'accepted_by_agent',
  handed_off: 'accepted_by_agent',
  spooled: 'sent_to_spooler',
};

function lapsed(
  job: Job,
  lease: Lease,
  reason: JobEventData['LeaseLapsed']['reason'],
  at: Instant,
  policy: JobPolicy,
): JobEvent[] {
  const lapsesInARow = job.lapsesInARow + 1;
  const requeued = lapsesInARow < LAPSES_IN_A_ROW;
  const lapse: JobEvent = { type: 'LeaseLapsed', data: { ...refOf(lease), reason, lapsesInARow, requeued } };
  if (requeued) return [lapse];
  const message = `The lease lapsed ${lapsesInARow} times in a row.`;
  return [
    lapse,
    ...failed(
      { job, lease },
      { failureClass: 'temporary', failureCode: 'LEASE_LAPSED', message },
      at,
      policy,
    ),
  ];
}

function lost(job: Job, leaseId: string, at: Instant, policy: JobPolicy): JobDecision<AgentGone> {
  const lease = leaseIn(job, 'accepted', leaseId);
  if (!lease) return accept();
  const failureCode = 'AGENT_LOST_BEFORE_HANDOFF';
  const message = 'The agent was lost before it handed the job to the spooler.';
  return accept(...failed({ job, lease }, { failureClass: 'temporary', failureCode, message }, at, policy));
}
