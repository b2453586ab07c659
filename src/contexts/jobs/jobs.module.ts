import { Module, type DynamicModule } from '@nestjs/common';
import {
  AcceptJob,
  AgentGone,
  CancelJob,
  ContentLost,
  ExpireJob,
  ExpireLease,
  HandoffSilence,
  ParkRestoredJob,
  ReleaseLease,
  ReportProgress,
  SpoolSilence,
  StartHandoff,
  VoidLease,
  type JobCommand,
} from './domain/job.commands.js';
import type { JobPolicy } from './domain/job.policy.js';
import { CloseAccountHandler, EndJobsOfAccountHandler } from './close-account.handlers.js';
import { HeldLeases, LeaseHeartbeats, Limits } from './limits.js';
import { JobClaims } from './job-claims.js';
import { JobExplanations } from './job-explanations.js';
import { JobNotifier } from './job-notifier.js';
import { JOB, makeJobAggregate } from './job.aggregate.js';
import { LeaseJobsHandler } from './lease-jobs.handler.js';
import { ParkRestoredJobsHandler, ReleaseRestoredJobsHandler } from './restored-jobs.handlers.js';
import { ClearQueueHandler, MoveQueueHandler } from './printer-queue.handlers.js';
import { PurgeContentHandler } from './content-deletion.js';
import { ReconcileSessionHandler } from './reconcile-session.handler.js';
import { RequeueForRetryHandler, SuspectClonesHandler } from './requeue-for-retry.handler.js';
import { SubmitJobHandler, SubmitReprintHandler } from './submit-job.handler.js';
import { SubmitJobsHandler } from './submit-jobs.handler.js';
import { SubmitRetryHandler } from './submit-retry.handler.js';
import { deciderHandlers } from '../../event-sourcing/index.js';

const DECIDED = [
  ExpireLease,
  ReleaseLease,
  VoidLease,
  AcceptJob,
  StartHandoff,
  ReportProgress,
  ContentLost,
  AgentGone,
  HandoffSilence,
  SpoolSilence,
  ExpireJob,
  CancelJob,
  ParkRestoredJob,
];

@Module({})
export class JobsModule {
  static with(policy: JobPolicy): DynamicModule {
    return {
      module: JobsModule,
      global: true,
      providers: [
        { provide: JOB, useValue: makeJobAggregate(policy) },
        ...deciderHandlers<JobCommand>(JOB, (command) => command.jobId, DECIDED),
        SubmitJobHandler,
        SubmitJobsHandler,
        SubmitReprintHandler,
        SubmitRetryHandler,
        LeaseJobsHandler,
        ReconcileSessionHandler,
        PurgeContentHandler,
        ClearQueueHandler,
        MoveQueueHandler,
        EndJobsOfAccountHandler,
        CloseAccountHandler,
        RequeueForRetryHandler,
        ParkRestoredJobsHandler,
        ReleaseRestoredJobsHandler,
        SuspectClonesHandler,
        HeldLeases,
        Limits,
        LeaseHeartbeats,
        JobClaims,
        JobExplanations,
        JobNotifier,
      ],
      exports: [JOB, HeldLeases, JobExplanations, JobNotifier],
    };
  }
}
