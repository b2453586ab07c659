import type { AccountStatus } from '../../src/contexts/accounts/domain/account.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

export interface PlanDocument {
  readonly jobs_per_month: number | null;
  readonly max_content_bytes: number;
  readonly max_auto_retries: number;
}

export interface AccountDocument {
  readonly account_id: string;
  readonly name: string;
  readonly slug: string;
  readonly status: AccountStatus;
  readonly environment_enabled: boolean;
  readonly virtual_printers_only: boolean;
  readonly plan: PlanDocument;
  readonly partner_id?: string;
  readonly external_id?: string;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly closed_at?: Instant;
  readonly close_reason?: string;
}

export const accountsView: ViewDefinition<AccountDocument> = { name: 'accounts', version: 1, indexes: [] };

export interface PartnerDocument {
  readonly partner_id: string;
  readonly name: string;
  readonly partner: string;
  readonly created_at: Instant;
}

export const partnersView: ViewDefinition<PartnerDocument> = { name: 'partners', version: 1, indexes: [] };
