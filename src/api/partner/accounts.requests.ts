import { Field } from '../../http/validation/field.js';
import { integer, text } from '../../http/validation/rules.js';

const optional = { optional: true } as const;

export class ProvisionAccountBody {
  @Field(text({ max: 160 }), { description: "The partner's own id of the customer" }) external_id!: string;
  @Field(text({ min: 2, max: 120 })) display_name!: string;
}

export class DeactivateAccountBody {
  @Field(text({ max: 500 }), optional) reason: string = 'deactivated by the partner';
}

export class CreateEnrollmentBody {
  @Field(integer(60, 1800), { optional: true, default: 600 }) ttl_seconds: number = 600;
}
