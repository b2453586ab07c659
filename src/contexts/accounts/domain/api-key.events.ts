import type { Instant } from '../../../kernel/time.js';

export interface ApiKeyCreated {
  readonly type: 'ApiKeyCreated';
  readonly data: {
    readonly keyId: string;
    readonly accountId: string;
    readonly name?: string;
    readonly scopes: readonly string[];
    /** SHA-256 of the whole key. */
    readonly hash: string;
    readonly last4: string;
    /** Absent = never expires. */
    readonly expiresAt?: Instant;
  };
}

export interface ApiKeyRevoked {
  readonly type: 'ApiKeyRevoked';
  readonly data: Record<string, never>;
}

export type ApiKeyEvent = ApiKeyCreated | ApiKeyRevoked;
