import { Field } from '../../shared/validation/field.js';
import { integer } from '../../shared/validation/rules.js';

/** Contract, section 4.1. */
export class ListQuery {
  @Field(integer(1, 100), { optional: true, default: 25 }) limit: number = 25;
  @Field(integer(0, 100_000), { optional: true, default: 0 }) offset: number = 0;
}
