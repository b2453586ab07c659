import { COMPUTER_STATUSES, PRINTER_STATUSES } from '../../shared/device-statuses.js';
import { Field } from '../../shared/validation/field.js';
import { oneOf, uuid } from '../../shared/validation/rules.js';
import { ListQuery } from './list.query.js';

const optional = { optional: true } as const;

export class ListComputersQuery extends ListQuery {
  @Field(oneOf(...COMPUTER_STATUSES), optional) status?: (typeof COMPUTER_STATUSES)[number];
}

export class ListPrintersQuery extends ListQuery {
  @Field(uuid(), optional) computer_id?: string;
  @Field(oneOf(...PRINTER_STATUSES), optional) status?: (typeof PRINTER_STATUSES)[number];
}
