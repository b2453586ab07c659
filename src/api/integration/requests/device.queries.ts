import { COMPUTER_STATUSES, PRINTER_STATUSES } from '../../../contexts/devices/index.js';
import { Field } from '../../../http/validation/field.js';
import { oneOf, uuid } from '../../../http/validation/rules.js';
import { ListQuery } from './list.query.js';

const optional = { optional: true } as const;

export class ListComputersQuery extends ListQuery {
  @Field(oneOf(...COMPUTER_STATUSES), optional) status?: (typeof COMPUTER_STATUSES)[number];
}

export class ListPrintersQuery extends ListQuery {
  @Field(uuid(), optional) computer_id?: string;
  @Field(oneOf(...PRINTER_STATUSES), optional) status?: (typeof PRINTER_STATUSES)[number];
}
