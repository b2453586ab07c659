import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { ApiKeyCreated } from './api-key.events.js';

/** A key whose secret only the caller knows. Repeating it writes nothing. */
export class CreateApiKey {
  readonly kind = 'CreateApiKey';
  constructor(
    readonly keyId: string,
    readonly key: Omit<ApiKeyCreated['data'], 'keyId'>,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class RevokeApiKey {
  readonly kind = 'RevokeApiKey';
  constructor(
    readonly keyId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export type ApiKeyCommand = CreateApiKey | RevokeApiKey;
