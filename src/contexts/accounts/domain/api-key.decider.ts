import { command, type Outcome } from '../../../kernel/command.js';
import { accept, reject, type Decider } from '../../../kernel/decider.js';
import type { ApiKeyEventData, ApiKeyEvent } from './account.events.js';
import { INTEGRATION_SCOPES, scopesFrom, type ScopeRejection } from './scopes.js';

export type ApiKeyRejection = { readonly code: 'ApiKeyNotFound' } | ScopeRejection;

type ApiKeyOutcome = Outcome<unknown, ApiKeyEvent, ApiKeyRejection>;

export class CreateApiKey extends command('CreateApiKey')<
  { keyId: string; key: Omit<ApiKeyEventData['ApiKeyCreated'], 'keyId'> },
  ApiKeyOutcome
> {}

export class RevokeApiKey extends command('RevokeApiKey')<{ keyId: string }, ApiKeyOutcome> {}

export type ApiKeyCommand = CreateApiKey | RevokeApiKey;

export interface ApiKey {
  readonly status: 'absent' | 'active' | 'revoked';
  readonly accountId?: string;
}

export const apiKeyDecider: Decider<ApiKey, ApiKeyCommand, ApiKeyEvent, ApiKeyRejection> = {
  initialState: { status: 'absent' },

  decide(key, command) {
    switch (command.kind) {
      case 'CreateApiKey': {
        if (key.status !== 'absent') return accept();
        const wanted = scopesFrom(INTEGRATION_SCOPES, command.key.scopes);
        if ('refused' in wanted) return reject(wanted.refused);
        const data = { keyId: command.keyId, ...command.key, scopes: wanted.scopes };
        return accept({ type: 'ApiKeyCreated', data });
      }
      case 'RevokeApiKey':
        if (key.status === 'absent') return reject({ code: 'ApiKeyNotFound' });
        return key.status === 'revoked' ? accept() : accept({ type: 'ApiKeyRevoked', data: {} });
    }
  },

  evolve(key, event) {
    if (event.type === 'ApiKeyCreated') return { status: 'active', accountId: event.data.accountId };
    return { ...key, status: 'revoked' };
  },
};
