import { accept, reject } from '../../../kernel/decider.js';
import { plus, type Instant } from '../../../kernel/time.js';
import type {
  CallingSession,
  HandoffSilence,
  SpoolSilence,
  StartHandoff,
  JobDecision,
} from './job.commands.js';
import type { JobEvent } from './job.events.js';
import { isHolder, leaseIn, standing } from './job.lease.js';
import { expired, parked } from './job.outcomes.js';
import type { JobPolicy } from './job.policy.js';
import type { Job, Lease } from './job.state.js';

/** One permit per fence; only the lease's session or its restart gets it again. */
export function startHandoff(job: Job, command: StartHandoff, policy: JobPolicy): JobDecision<StartHandoff> {
  const refusal = standing(job, command);
  if (refusal) return reject(refusal);
  if (job.status === 'leased') return reject({ code: 'JobNotAccepted' });
  const { leaseId, fence, session, at } = command;
  if (job.lease?.phase === 'handed_off') {
    return isPermitFor(session, job.lease, at, policy) ? accept() : reject({ code: 'LeaseLost' });
  }
  if (!isHolder(session, job.lease)) return reject({ code: 'LeaseLost' });
  if (at >= job.expiresAt) return accept(...expired(job, at, policy));
  const silentAt = plus(at, policy.handoffGraceMs);
  const data = { leaseId, fence, sessionId: session.sessionId, startedAt: at, silentAt };
  return accept<JobEvent>({ type: 'HandoffStarted', data });
}

/** A clone is indistinguishable from a restart until the older session calls, so wait for its silence. */
function isPermitFor(session: CallingSession, lease: Lease, at: Instant, policy: JobPolicy): boolean {
  const { permitSessionId } = lease;
  if (permitSessionId === undefined) return false;
  if (permitSessionId === session.sessionId) return true;
  const provenAt = session.startedAt && plus(session.startedAt, policy.successionMs);
  return provenAt !== undefined && provenAt <= at && session.predecessors.includes(permitSessionId);
}

export function handoffSilence(
  job: Job,
  { leaseId, at }: HandoffSilence,
  policy: JobPolicy,
): JobDecision<HandoffSilence> {
  const lease = leaseIn(job, 'handed_off', leaseId);
  if (!lease) return accept();
  const message = 'No report says whether the spooler has the document.';
  return accept(parked({ job, lease }, { failureCode: 'HANDOFF_UNCONFIRMED', message }, at, policy));
}

export function spoolSilence(
  job: Job,
  { leaseId, at }: SpoolSilence,
  policy: JobPolicy,
): JobDecision<SpoolSilence> {
  const lease = leaseIn(job, 'spooled', leaseId);
  if (!lease) return accept();
  const message = 'No report says what the spooler did with the document.';
  return accept(parked({ job, lease }, { failureCode: 'SPOOLER_SILENT', message }, at, policy));
}
