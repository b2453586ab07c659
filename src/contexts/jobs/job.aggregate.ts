import type { JobCommand } from './domain/job.commands.js';
import { makeJobDecider, type JobRejection } from './domain/job.decider.js';
import type { JobEvent } from './domain/job.events.js';
import type { JobPolicy } from './domain/job.policy.js';
import type { Job } from './domain/job.state.js';
import type { Aggregate, Audited } from '../../event-sourcing/index.js';
import type { Actor } from '../../kernel/recorded-event.js';

export const JOB = Symbol('job aggregate');

export interface JobAggregate extends Aggregate<Job, JobCommand, JobEvent, JobRejection> {
  readonly policy: JobPolicy;
}

export function makeJobAggregate(policy: JobPolicy): JobAggregate {
  const decider = makeJobDecider(policy);
  return { category: 'job', decider, policy, auditedIn: decisionOfPerson };
}

/** By who decides. A reprint of an operator is in the audit as the job that it creates. */
const AUDITED: Partial<Record<JobEvent['type'], readonly Actor['kind'][]>> = {
  JobCreated: ['operator'],
  JobCancelled: ['member', 'operator'],
  JobRequeued: ['member', 'operator'],
  JobReprinted: ['member'],
  JobMoved: ['member'],
};

function decisionOfPerson({ type }: JobEvent, { state, by }: Audited<Job>): string | undefined {
  return AUDITED[type]?.includes(by.actor.kind) ? state.accountId : undefined;
}
