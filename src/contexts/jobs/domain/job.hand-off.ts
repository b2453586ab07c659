import { accept, reject, type Decision } from '../../../kernel/decider.js';
import { plus } from '../../../kernel/time.js';
import type { HandoffSilence, SpoolSilence, StartHandoff } from './job.commands.js';
import type { JobEvent } from './job.events.js';
import { leaseIn, standing } from './job.lease.js';
import { expired, parked } from './job.outcomes.js';
import type { JobPolicy } from './job.policy.js';
import type { JobRejection } from './job.rejections.js';
import type { Job } from './job.state.js';

type JobDecision = Decision<JobEvent, JobRejection>;

/** One permit per fence: a repeat is answered by the permit that was given. */
export function startHandoff(job: Job, command: StartHandoff, policy: JobPolicy): JobDecision {
  const refusal = standing(job, command);
  if (refusal) return reject(refusal);
  if (job.status === 'leased') return reject({ code: 'JobNotAccepted' });
  if (job.lease?.phase === 'handed_off') return accept();
  const { leaseId, fence, at } = command;
  if (at >= job.expiresAt) return accept(...expired(job, at, policy));
  const silentAt = plus(at, policy.handoffGraceMs);
  return accept<JobEvent>({ type: 'HandoffStarted', data: { leaseId, fence, startedAt: at, silentAt } });
}

export function handoffSilence(job: Job, { leaseId, at }: HandoffSilence, policy: JobPolicy): JobDecision {
  const lease = leaseIn(job, 'handed_off', leaseId);
  if (!lease) return accept();
  const message = 'Nobody said whether the spooler has the document.';
  return accept(parked({ job, lease }, { failureCode: 'HANDOFF_UNCONFIRMED', message }, at, policy));
}

export function spoolSilence(job: Job, { leaseId, at }: SpoolSilence, policy: JobPolicy): JobDecision {
  const lease = leaseIn(job, 'spooled', leaseId);
  if (!lease) return accept();
  const message = 'Nobody said what the spooler did with the document.';
  return accept(parked({ job, lease }, { failureCode: 'SPOOLER_SILENT', message }, at, policy));
}
