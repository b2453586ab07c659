import { accept, reject, type Decider, type Decision } from '../../../kernel/decider.js';
import type { JobCommand, JobDecision, JobRejection } from './job.commands.js';
import type { JobEvent, JobStatus } from './job.events.js';
import { reconcileLease, suspectClone } from './job.evidence.js';
import { handoffSilence, spoolSilence, startHandoff } from './job.hand-off.js';
import { acceptJob, agentGone, contentLost, expireLease, grant, release, voidLease } from './job.lease.js';
import {
  archive,
  cancel,
  create,
  endRetry,
  expire,
  move,
  noteReprint,
  parkRestored,
  purgeContent,
  requeue,
  retry,
} from './job.lifecycle.js';
import type { JobPolicy } from './job.policy.js';
import { report } from './job.results.js';
import { evolve, noJob, type Job } from './job.state.js';

export type { JobRejection };

export type JobDecider = Decider<Job, JobCommand, JobEvent, JobRejection>;

type SomeJob = Job & { readonly status: JobStatus };

type Decisions = {
  readonly [C in Exclude<JobCommand, { kind: 'CreateJob' }> as C['kind']]: (
    job: SomeJob,
    command: C,
    policy: JobPolicy,
  ) => JobDecision<C>;
};

const decisions: Decisions = {
  GrantLease: grant,
  ExpireLease: expireLease,
  ReleaseLease: release,
  VoidLease: voidLease,
  AcceptJob: acceptJob,
  ContentLost: contentLost,
  AgentGone: agentGone,
  StartHandoff: startHandoff,
  ReconcileLease: reconcileLease,
  HandoffSilence: handoffSilence,
  SpoolSilence: spoolSilence,
  ReportProgress: report,
  RequeueForRetry: requeue,
  EndRetry: endRetry,
  RetryJob: retry,
  ExpireJob: expire,
  CancelJob: cancel,
  ParkRestoredJob: (job, command, policy) => accept(...parkRestored(job, command, policy)),
  SuspectClone: (job, command, policy) => accept(...suspectClone(job, command, policy)),
  PurgeContent: purgeContent,
  ArchiveJob: archive,
  NoteReprint: noteReprint,
  MoveJob: move,
};

/** Events store the durations of `policy` as times. */
export function makeJobDecider(policy: JobPolicy): JobDecider {
  return {
    initialState: noJob,
    decide(job, command) {
      if (command.kind === 'CreateJob') return job.status === 'absent' ? create(command, policy) : accept();
      if (!exists(job)) return reject({ code: 'JobNotFound' });
      const decide = decisions[command.kind] as Decide;
      return decide(job, command, policy);
    },
    evolve,
  };
}

type Decide = (job: SomeJob, command: JobCommand, policy: JobPolicy) => Decision<JobEvent, JobRejection>;

function exists(job: Job): job is SomeJob {
  return job.status !== 'absent';
}
