import { Command, type Outcome } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { ApiKeyCreated, ApiKeyEvent } from './api-key.events.js';
import type { ScopeRejection } from './scopes.js';

export type ApiKeyRejection = { readonly code: 'ApiKeyNotFound' } | ScopeRejection;

type ApiKeyOutcome = Outcome<unknown, ApiKeyEvent, ApiKeyRejection>;

/** Creates a key whose secret only the caller knows. Repeating it writes nothing. */
export class CreateApiKey extends Command<ApiKeyOutcome> {
  readonly kind = 'CreateApiKey';
  constructor(
    readonly keyId: string,
    readonly key: Omit<ApiKeyCreated['data'], 'keyId'>,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class RevokeApiKey extends Command<ApiKeyOutcome> {
  readonly kind = 'RevokeApiKey';
  constructor(
    readonly keyId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type ApiKeyCommand = CreateApiKey | RevokeApiKey;
