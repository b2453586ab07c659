import { Field } from '../../shared/validation/field.js';
import { printContent, type PrintContent } from '../../shared/validation/print-content.js';
import { dateTime, integer, oneOf, text, uuid } from '../../shared/validation/rules.js';
import { JOB_STATUSES } from '../../../../projections/job-view/job-view.js';
import { ListQuery } from './list.query.js';

const optional = { optional: true } as const;

export class CreatePrintJobBody {
  @Field(uuid()) printer_id!: string;
  @Field(printContent()) content!: PrintContent;
  @Field(integer(1, 20), { optional: true, default: 1 }) copies: number = 1;
  @Field(text({ max: 120 }), optional) external_id?: string;
  @Field(text({ max: 160 }), optional) title?: string;
  @Field(dateTime(), { optional: true, description: 'In the future, at most 30 days away' })
  expires_at?: string;
}

export class ReasonBody {
  @Field(text({ max: 500 }), optional) reason?: string;
}

export class ListPrintJobsQuery extends ListQuery {
  @Field(oneOf(...JOB_STATUSES), optional) status?: (typeof JOB_STATUSES)[number];
  @Field(uuid(), optional) printer_id?: string;
  @Field(text({ max: 120 }), optional) external_id?: string;
}
