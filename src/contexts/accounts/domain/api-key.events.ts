import type { Instant } from '../../../kernel/time.js';

export interface ApiKeyCreated {
  readonly type: 'ApiKeyCreated';
  readonly data: {
    readonly keyId: string;
    readonly accountId: string;
    readonly name?: string;
    readonly scopes: readonly string[];
    readonly hash: string;
    readonly last4: string;
    readonly expiresAt?: Instant;
  };
}

export interface ApiKeyRevoked {
  readonly type: 'ApiKeyRevoked';
  readonly data: Record<string, never>;
}

export type ApiKeyEvent = ApiKeyCreated | ApiKeyRevoked;
