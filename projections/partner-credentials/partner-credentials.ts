import type { PartnerCredentialKind } from '../../src/contexts/accounts/domain/partner-credential.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

/** A partner credential without its secret. */
export interface PartnerCredentialDocument {
  readonly credential_id: string;
  readonly partner_id: string;
  readonly kind: PartnerCredentialKind;
  readonly scopes: readonly string[];
  readonly status: 'active' | 'revoked';
  readonly last4: string;
  readonly created_at: Instant;
  readonly revoked_at?: Instant;
  /** SHA-256 of the whole credential; for authentication, never shown. */
  readonly hash: string;
}

export const partnerCredentialsView: ViewDefinition = {
  name: 'partner-credentials',
  version: 1,
  indexes: [{ fields: ['partner_id'] }],
  countBy: [['partner_id']],
};
