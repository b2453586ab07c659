import type { ApiKeyCreated, ApiKeyEvent } from '../../src/contexts/accounts/domain/api-key.events.js';
import { idOf } from '../../src/kernel/ids.js';
import type { Projection } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';
import { apiKeysView, type ApiKeyDocument } from './api-keys.js';

/** The current state of a key. */
export const apiKeysProjection: Projection<ApiKeyDocument, ApiKeyEvent> = {
  view: apiKeysView,
  handles: ['ApiKeyCreated', 'ApiKeyRevoked'],
  keysOf: (event) => [idOf(event.stream)],

  apply(document, event) {
    const { at } = event.metadata;
    switch (event.type) {
      case 'ApiKeyCreated':
        return created(event.data, at);
      case 'ApiKeyRevoked':
        return document && { ...document, status: 'revoked', revoked_at: at };
    }
  },
};

function created(data: ApiKeyCreated['data'], at: Instant): ApiKeyDocument {
  return {
    key_id: data.keyId,
    account_id: data.accountId,
    ...(data.name !== undefined && { name: data.name }),
    scopes: data.scopes,
    status: 'active',
    last4: data.last4,
    ...(data.expiresAt !== undefined && { expires_at: data.expiresAt }),
    created_at: at,
    hash: data.hash,
  };
}
