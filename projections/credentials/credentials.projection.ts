import type {
  ApiKeyEventData,
  ApiKeyEvent,
  PartnerCredentialEventData,
  PartnerCredentialEvent,
} from '../../src/contexts/accounts/domain/account.events.js';
import { idOf } from '../../src/kernel/ids.js';
import type { Projection } from '../../src/kernel/projection.js';
import type { EventMetadata } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';
import {
  apiKeysView,
  partnerCredentialsView,
  type ApiKeyDocument,
  type PartnerCredentialDocument,
} from './credentials.js';

export const apiKeysProjection: Projection<ApiKeyDocument, ApiKeyEvent> = {
  view: apiKeysView,
  category: 'apiKey',
  handles: ['ApiKeyCreated', 'ApiKeyRevoked'],
  keysOf: (event) => [idOf(event.stream)],

  apply(document, event) {
    const { at } = event.metadata;
    switch (event.type) {
      case 'ApiKeyCreated':
        return createdKey(event.data, event.metadata);
      case 'ApiKeyRevoked':
        return document && { ...document, status: 'revoked', revoked_at: at };
    }
  },
};

function createdKey(data: ApiKeyEventData['ApiKeyCreated'], { at, actor }: EventMetadata): ApiKeyDocument {
  return {
    key_id: data.keyId,
    account_id: data.accountId,
    ...(data.name !== undefined && { name: data.name }),
    scopes: data.scopes,
    status: 'active',
    last4: data.last4,
    ...(data.expiresAt !== undefined && { expires_at: data.expiresAt }),
    created_at: at,
    created_by: actor,
    hash: data.hash,
  };
}

export const partnerCredentialsProjection: Projection<PartnerCredentialDocument, PartnerCredentialEvent> = {
  view: partnerCredentialsView,
  category: 'partnerCredential',
  handles: ['PartnerCredentialCreated', 'PartnerCredentialRevoked'],
  keysOf: (event) => [idOf(event.stream)],

  apply(document, event) {
    const { at } = event.metadata;
    switch (event.type) {
      case 'PartnerCredentialCreated':
        return createdCredential(event.data, at);
      case 'PartnerCredentialRevoked':
        return document && { ...document, status: 'revoked', revoked_at: at };
    }
  },
};

function createdCredential(
  data: PartnerCredentialEventData['PartnerCredentialCreated'],
  at: Instant,
): PartnerCredentialDocument {
  return {
    credential_id: data.credentialId,
    partner_id: data.partnerId,
    kind: data.kind,
    scopes: data.scopes,
    status: 'active',
    last4: data.last4,
    created_at: at,
    hash: data.hash,
  };
}
