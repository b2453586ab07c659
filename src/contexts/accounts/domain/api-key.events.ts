import type { EventsOf } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

export interface ApiKeyEventData {
  readonly ApiKeyCreated: {
    readonly keyId: string;
    readonly accountId: string;
    readonly name?: string;
    readonly scopes: readonly string[];
    readonly hash: string;
    readonly last4: string;
    readonly expiresAt?: Instant;
  };
  readonly ApiKeyRevoked: Record<string, never>;
}

export type ApiKeyEvent = EventsOf<ApiKeyEventData>;
