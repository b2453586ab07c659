import type { Instant } from '../../src/kernel/time.js';
import type { AccountDocument } from './accounts.js';

/** An account as the partner that provisioned it sees it. */
export interface PartnerAccountResource {
  readonly contract: 'svc_partner_account_v1';
  readonly account_id: string;
  readonly external_id: string;
  /** The partner's slug. */
  readonly partner: string;
  readonly display_name: string;
  readonly status: AccountDocument['status'];
  readonly created_at: Instant;
}

export function partnerAccountResource(document: AccountDocument, partner: string): PartnerAccountResource {
  return {
    contract: 'svc_partner_account_v1',
    account_id: document.account_id,
    external_id: document.external_id ?? '',
    partner,
    display_name: document.name,
    status: document.status,
    created_at: document.created_at,
  };
}
