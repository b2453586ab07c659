import {
  HISTORY_OUTCOMES,
  type HistoryEvent,
  MAX_HISTORY_EVENTS,
} from '../../../../projections/job-history/job-history.js';
import { JOB_STATUSES, type JobStatus } from '../../../contexts/jobs/index.js';
import { eventSchemaOf } from '../../../http/openapi/schemas.js';
import { Field, optional } from '../../../http/validation/field.js';
import { constant, dateTime, objects, oneOf, shaped, text, uuid } from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';
import { PrintJob } from '../../resources/print-job.resource.js';
import { JobReceipt } from '../../resources/print-options.resource.js';

class JobHistoryEvent implements HistoryEvent {
  @Field(uuid()) event_id!: string;
  @Field(text({ max: 64 })) event_type!: HistoryEvent['event_type'];
  @Field(oneOf(...JOB_STATUSES), optional) previous_status?: JobStatus;
  @Field(oneOf(...JOB_STATUSES), optional) new_status?: JobStatus;
  @Field(oneOf(...HISTORY_OUTCOMES)) outcome!: HistoryEvent['outcome'];
  @Field(dateTime()) created_at!: Instant;
  @Field(
    shaped({
      type: 'object',
      additionalProperties: false,
      properties: {
        reason: { type: 'string' },
        failure_code: { type: 'string' },
        failure_class: { type: 'string' },
        retry_delay_seconds: { type: 'integer', minimum: 0 },
        spooler_provider: { type: 'string' },
        receipt: eventSchemaOf(JobReceipt),
        reprint_job_id: { type: 'string', format: 'uuid' },
        from_printer_id: { type: 'string', format: 'uuid' },
        to_printer_id: { type: 'string', format: 'uuid' },
        physical_print_confirmed: { type: 'boolean', const: false },
      },
    }),
    optional,
  )
  details?: HistoryEvent['details'];
}

export class PrintJobDetail extends PrintJob {
  @Field(constant('svc_job_history_v1')) history_contract!: 'svc_job_history_v1';
  @Field(objects(() => JobHistoryEvent, MAX_HISTORY_EVENTS), {
    description: 'The newest events, oldest first',
  })
  history!: readonly HistoryEvent[];
  @Field(constant(true), { optional: true, description: 'Present when older events were left out' })
  history_truncated?: true;

  static override get example(): PrintJobDetail {
    return {
      ...PrintJob.example,
      history_contract: 'svc_job_history_v1',
      history: [
        {
          event_id: '01990000-0000-7000-8000-00000000000a',
          event_type: 'job.queued',
          previous_status: 'created',
          new_status: 'queued',
          outcome: 'ok',
          created_at: '2026-11-21T12:00:00.000Z',
        },
      ],
    };
  }
}
