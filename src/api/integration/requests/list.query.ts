import { Field } from '../../../http/validation/field.js';
import { integer } from '../../../http/validation/rules.js';

/** Contract, section 4.1. */
export class ListQuery {
  @Field(integer(1, 100), { optional: true, default: 25 }) limit: number = 25;
  @Field(integer(0, 100_000), { optional: true, default: 0 }) offset: number = 0;
}
