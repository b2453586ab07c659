import type { AccountDocument } from '../../../../projections/accounts/accounts.js';
import { ACCOUNT_STATUSES, type AccountStatus } from '../../../contexts/accounts/index.js';
import { Field } from '../../../http/validation/field.js';
import { present } from '../../../http/validation/present.js';
import { constant, dateTime, oneOf, text, uuid } from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';

/** An account as shown to its partner. */
export class PartnerAccount {
  @Field(constant('svc_partner_account_v1')) contract!: 'svc_partner_account_v1';
  @Field(uuid()) account_id!: string;
  @Field(text({ max: 160 })) external_id!: string;
  @Field(text({ max: 60 }), { description: 'The partner' }) partner!: string;
  @Field(text({ max: 120 })) display_name!: string;
  @Field(oneOf(...ACCOUNT_STATUSES)) status!: AccountStatus;
  @Field(dateTime()) created_at!: Instant;

  static readonly example: PartnerAccount = {
    contract: 'svc_partner_account_v1',
    account_id: '01990000-0000-7000-8000-000000000001',
    external_id: 'customer-4711',
    partner: 'acme-pos',
    display_name: 'Bakery Smith',
    status: 'active',
    created_at: '2026-11-21T12:00:00.000Z',
  };
}

/** @param partner slug of the partner */
export function partnerAccountResource(document: AccountDocument, partner: string): PartnerAccount {
  return present(PartnerAccount, document, {
    contract: 'svc_partner_account_v1',
    external_id: document.external_id ?? '',
    partner,
    display_name: document.name,
  });
}
