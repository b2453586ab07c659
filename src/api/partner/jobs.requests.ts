import { PrintRequest } from '../print-request.js';
import { Field } from '../../http/validation/field.js';
import { integer, oneOf, uuid } from '../../http/validation/rules.js';
import { CursorQuery } from './cursor-lists.js';
import { PARTNER_JOB_STATUSES, type PartnerJobStatus } from './job.resource.js';

const optional = { optional: true } as const;

export class CreateJobBody extends PrintRequest {}

export class ListJobsQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 50 }) limit: number = 50;
  @Field(oneOf(...PARTNER_JOB_STATUSES), optional) status?: PartnerJobStatus;
  @Field(uuid(), optional) printer_id?: string;
}
