import { accept, reject, type Decider, type Decision } from '../../../kernel/decider.js';
import type { JobCommand } from './job.commands.js';
import type { JobEvent, JobStatus } from './job.events.js';
import { reconcileLease, suspectClone } from './job.evidence.js';
import { handoffSilence, spoolSilence, startHandoff } from './job.hand-off.js';
import { acceptJob, agentGone, contentLost, expireLease, grant, release, voidLease } from './job.lease.js';
import { cancel, create, endRetry, expire, purgeContent, requeue, retry } from './job.lifecycle.js';
import type { JobPolicy } from './job.policy.js';
import type { JobRejection } from './job.rejections.js';
import { parkRestored } from './job.restore.js';
import { report } from './job.results.js';
import { evolve, noJob, type Job } from './job.state.js';

export type { JobRejection };

export type JobDecider = Decider<Job, JobCommand, JobEvent, JobRejection>;

/** All moves of a print job. The durations of `policy` go into the events as times. */
export function makeJobDecider(policy: JobPolicy): JobDecider {
  return {
    initialState: noJob,
    decide(job, command) {
      if (command.kind === 'CreateJob') return job.status === 'absent' ? create(command, policy) : accept();
      if (!exists(job)) return reject({ code: 'JobNotFound' });
      return decide(job, command, policy);
    },
    evolve,
  };
}

type SomeJob = Job & { readonly status: JobStatus };

function exists(job: Job): job is SomeJob {
  return job.status !== 'absent';
}

function decide(
  job: SomeJob,
  command: Exclude<JobCommand, { kind: 'CreateJob' }>,
  policy: JobPolicy,
): Decision<JobEvent, JobRejection> {
  switch (command.kind) {
    case 'GrantLease':
      return grant(job, command, policy);
    case 'ExpireLease':
      return expireLease(job, command, policy);
    case 'ReleaseLease':
      return release(job, command);
    case 'VoidLease':
      return voidLease(job, command, policy);
    case 'AcceptJob':
      return acceptJob(job, command, policy);
    case 'ContentLost':
      return contentLost(job, command, policy);
    case 'AgentGone':
      return agentGone(job, command, policy);
    case 'StartHandoff':
      return startHandoff(job, command, policy);
    case 'ReconcileLease':
      return reconcileLease(job, command, policy);
    case 'HandoffSilence':
      return handoffSilence(job, command, policy);
    case 'SpoolSilence':
      return spoolSilence(job, command, policy);
    case 'ReportProgress':
      return report(job, command, policy);
    case 'RequeueForRetry':
      return requeue(job, command, policy);
    case 'EndRetry':
      return endRetry(job, command, policy);
    case 'RetryJob':
      return retry(job, command);
    case 'ExpireJob':
      return expire(job, command, policy);
    case 'CancelJob':
      return cancel(job, command, policy);
    case 'ParkRestoredJob':
      return accept(...parkRestored(job, command, policy));
    case 'SuspectClone':
      return accept(...suspectClone(job, command, policy));
    case 'PurgeContent':
      return purgeContent(job, command);
  }
}
