import { Field } from '../../http/validation/field.js';
import { constant, dateTime, integer, oneOf, text, uuid } from '../../http/validation/rules.js';

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

/** Contract, section 2.8. */
export class PartnerAccount {
  @Field(constant('svc_partner_account_v1')) contract!: string;
  @Field(uuid()) account_id!: string;
  @Field(text({ max: 160 })) external_id!: string;
  @Field(text({ max: 60 }), { description: 'The partner' }) partner!: string;
  @Field(text({ max: 120 })) display_name!: string;
  @Field(oneOf('active', 'suspended', 'closed')) status!: string;
  @Field(dateTime()) created_at!: string;
}

export class Enrollment {
  @Field(uuid()) enrollment_id!: string;
  @Field(text({ max: 200 }), { description: 'A secret, shown this once' }) enrollment_token!: string;
  @Field(dateTime()) expires_at!: string;
  @Field(uuid()) account_id!: string;
}

const id = '01990000-0000-7000-8000-000000000001';

export const accountExample = {
  contract: 'svc_partner_account_v1',
  account_id: id,
  external_id: 'customer-4711',
  partner: 'acme-pos',
  display_name: 'Bakery Smith',
  status: 'active',
  created_at: '2026-11-21T12:00:00.000Z',
} satisfies PartnerAccount;

export const enrollmentExample = {
  enrollment_id: id,
  enrollment_token: 'svc_enroll_live_…',
  expires_at: '2026-11-21T12:10:00.000Z',
  account_id: id,
} satisfies Enrollment;
