import type { AccountDocument, PlanDocument } from '../../../projections/accounts/accounts.js';
import { ACCOUNT_STATUSES, type AccountStatus } from '../../contexts/accounts/index.js';
import { Field, orNull, present } from '../../http/validation/field.js';
import { boolean, constant, dateTime, integer, oneOf, text, uuid } from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';

export class Account {
  @Field(constant('svc_api_account_v1')) contract!: 'svc_api_account_v1';
  @Field(uuid()) account_id!: string;
  @Field(text({ max: 120 })) name!: string;
  @Field(text({ max: 60 })) slug!: string;
  @Field(oneOf(...ACCOUNT_STATUSES)) status!: AccountStatus;
  @Field(boolean()) environment_enabled!: boolean;
  @Field(boolean()) virtual_printers_only!: boolean;
  @Field(dateTime()) created_at!: Instant;

  static readonly example: Account = {
    contract: 'svc_api_account_v1',
    account_id: '01990000-0000-7000-8000-000000000002',
    name: 'Acme',
    slug: 'acme',
    status: 'active',
    environment_enabled: true,
    virtual_printers_only: false,
    created_at: '2026-11-21T12:00:00.000Z',
  };
}

export class AccountPlan implements PlanDocument {
  @Field(integer(0, 1_000_000_000), orNull) jobs_per_month!: number | null;
  @Field(integer(1, 10_485_760)) max_content_bytes!: number;
  @Field(integer(1, 10)) max_auto_retries!: number;
}

export function accountResource(document: AccountDocument): Account {
  return present(Account, document, { contract: 'svc_api_account_v1' });
}
