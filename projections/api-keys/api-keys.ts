import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

/** An API key without its secret. */
export interface ApiKeyDocument {
  readonly key_id: string;
  readonly account_id: string;
  readonly name?: string;
  readonly scopes: readonly string[];
  readonly status: 'active' | 'revoked';
  readonly last4: string;
  readonly expires_at?: Instant;
  readonly created_at: Instant;
  readonly revoked_at?: Instant;
  /** SHA-256 of the whole key; for authentication, never shown. */
  readonly hash: string;
}

export const apiKeysView: ViewDefinition = {
  name: 'api-keys',
  version: 1,
  indexes: [{ fields: ['account_id'] }],
  countBy: [['account_id']],
};
