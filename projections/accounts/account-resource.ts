import type { Instant } from '../../src/kernel/time.js';
import type { AccountDocument, PlanDocument } from './accounts.js';

/** An account as the Integration API shows it (api-v1 2.2). */
export interface AccountResource {
  readonly contract: 'svc_api_account_v1';
  readonly account_id: string;
  readonly name: string;
  readonly slug: string;
  readonly status: AccountDocument['status'];
  readonly environment_enabled: boolean;
  readonly virtual_printers_only: boolean;
  readonly created_at: Instant;
}

/** The same for the operator, who also sees its plan and where it came from. */
export interface OperatedAccountResource extends AccountResource {
  readonly plan: PlanDocument;
  readonly partner_id: string | null;
  readonly external_id: string | null;
  readonly updated_at: Instant;
  readonly closed_at: Instant | null;
}

export function accountResource(document: AccountDocument): AccountResource {
  return {
    contract: 'svc_api_account_v1',
    account_id: document.account_id,
    name: document.name,
    slug: document.slug,
    status: document.status,
    environment_enabled: document.environment_enabled,
    virtual_printers_only: document.virtual_printers_only,
    created_at: document.created_at,
  };
}

export function operatedAccountResource(document: AccountDocument): OperatedAccountResource {
  return {
    ...accountResource(document),
    plan: document.plan,
    partner_id: document.partner_id ?? null,
    external_id: document.external_id ?? null,
    updated_at: document.updated_at,
    closed_at: document.closed_at ?? null,
  };
}
