import { JOB_STATUSES } from '../../../contexts/jobs/index.js';
import { PrintRequest } from '../../print-request.js';
import { Field } from '../../../http/validation/field.js';
import { oneOf, text, uuid } from '../../../http/validation/rules.js';
import { ListQuery } from './list.query.js';

const optional = { optional: true } as const;

export class CreatePrintJobBody extends PrintRequest {}

export class ReasonBody {
  @Field(text({ max: 500 }), optional) reason?: string;
}

export class ListPrintJobsQuery extends ListQuery {
  @Field(oneOf(...JOB_STATUSES), optional) status?: (typeof JOB_STATUSES)[number];
  @Field(uuid(), optional) printer_id?: string;
  @Field(text({ max: 120 }), optional) external_id?: string;
}
