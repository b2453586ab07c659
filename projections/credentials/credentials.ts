import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Actor } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';
import type { PartnerCredentialKind } from '../../src/contexts/accounts/domain/account.events.js';

export interface ApiKeyDocument {
  readonly key_id: string;
  readonly account_id: string;
  readonly name?: string;
  readonly scopes: readonly string[];
  readonly status: 'active' | 'revoked';
  readonly last4: string;
  readonly expires_at?: Instant;
  readonly created_at: Instant;
  readonly created_by: Actor;
  readonly revoked_at?: Instant;
  /** SHA-256 of the whole key; for authentication, never shown. */
  readonly hash: string;
}

export const apiKeysView: ViewDefinition<ApiKeyDocument> = {
  name: 'api-keys',
  version: 2,
  indexes: [{ fields: ['account_id'] }],
  countBy: [['account_id']],
};

export interface PartnerCredentialDocument {
  readonly credential_id: string;
  readonly partner_id: string;
  readonly kind: PartnerCredentialKind;
  readonly scopes: readonly string[];
  readonly status: 'active' | 'revoked';
  readonly last4: string;
  readonly created_at: Instant;
  readonly revoked_at?: Instant;
  readonly hash: string;
}

export const partnerCredentialsView: ViewDefinition<PartnerCredentialDocument> = {
  name: 'partner-credentials',
  version: 1,
  indexes: [{ fields: ['partner_id'] }],
  countBy: [['partner_id']],
};
