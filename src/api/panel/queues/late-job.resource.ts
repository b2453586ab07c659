import type { HoldUp } from '../../../../projections/job-view/hold-up.js';
import { JOB_STATUSES, type JobStatus } from '../../../contexts/jobs/index.js';
import { Field, orNull } from '../../../http/validation/field.js';
import { dateTime, oneOf, text, uuid } from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';

/** The job that holds a printer up: it has waited, or has been at the computer, for more than five minutes. */
export class LateJob {
  @Field(uuid()) job_id!: string;
  @Field(text({ max: 160 }), orNull) title!: string | null;
  @Field(oneOf(...JOB_STATUSES)) status!: JobStatus;
  @Field(dateTime(), { description: 'When it came into this status' }) since!: Instant;
}

export function lateJobResource({ job: { job_id, title, status }, since }: HoldUp): LateJob {
  return { job_id, title: title ?? null, status, since };
}
