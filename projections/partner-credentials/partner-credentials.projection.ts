import type {
  PartnerCredentialCreated,
  PartnerCredentialEvent,
} from '../../src/contexts/accounts/domain/partner-credential.events.js';
import { idOf } from '../../src/kernel/ids.js';
import type { Projection } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';
import { partnerCredentialsView, type PartnerCredentialDocument } from './partner-credentials.js';

/** The current state of a credential. */
export const partnerCredentialsProjection: Projection<PartnerCredentialDocument, PartnerCredentialEvent> = {
  view: partnerCredentialsView,
  handles: ['PartnerCredentialCreated', 'PartnerCredentialRevoked'],
  keysOf: (event) => [idOf(event.stream)],

  apply(document, event) {
    const { at } = event.metadata;
    switch (event.type) {
      case 'PartnerCredentialCreated':
        return created(event.data, at);
      case 'PartnerCredentialRevoked':
        return document && { ...document, status: 'revoked', revoked_at: at };
    }
  },
};

function created(data: PartnerCredentialCreated['data'], at: Instant): PartnerCredentialDocument {
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
