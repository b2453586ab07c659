import { accept, reject, type Decider } from '../../../kernel/decider.js';
import type { ApiKeyCommand, ApiKeyRejection } from './api-key.commands.js';
import type { ApiKeyEvent } from './api-key.events.js';
import { INTEGRATION_SCOPES, scopesFrom } from './scopes.js';

export interface ApiKey {
  readonly status: 'absent' | 'active' | 'revoked';
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

  evolve(_key, event) {
    return { status: event.type === 'ApiKeyCreated' ? 'active' : 'revoked' };
  },
};
