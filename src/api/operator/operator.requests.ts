import { COMPUTER_STATUSES } from '../../contexts/devices/index.js';
import { Field, optional } from '../../http/validation/field.js';
import { integer, oneOf, text } from '../../http/validation/rules.js';

export class CloseBody {
  @Field(text({ max: 500 }), optional) reason?: string;
}

export class OperatorListQuery {
  @Field(integer(1, 1000), optional) limit: number = 100;
  @Field(integer(0, 1_000_000), optional) offset: number = 0;
}

export class ComputerListQuery extends OperatorListQuery {
  @Field(oneOf(...COMPUTER_STATUSES), optional) status?: (typeof COMPUTER_STATUSES)[number];
}
