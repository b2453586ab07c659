import type { PartnerCredentialEvent } from '../../src/contexts/accounts/domain/partner-credential.events.js';
import { plus } from '../../src/kernel/time.js';
import {
  CREDENTIAL_ID,
  credentialCreated,
  credentialRevoked,
  PARTNER_ID,
  partnerCredential,
} from '../../test/kit/examples/accounts.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded } from '../../test/kit/recorded.js';
import { withoutHash } from '../../src/api/operator/operator.resources.js';
import { partnerCredentialsProjection } from './partner-credentials.projection.js';

const stream = `partnerCredential-${CREDENTIAL_ID}`;
const active = {
  credential_id: CREDENTIAL_ID,
  partner_id: PARTNER_ID,
  kind: 'live',
  scopes: partnerCredential.scopes,
  status: 'active',
  last4: 'k3Lm',
  created_at: NOON,
  hash: partnerCredential.hash,
};

describe('showing a partner credential', () => {
  it('is active, with its name and scopes', () => {
    const documents = project(partnerCredentialsProjection, recorded(stream, credentialCreated));
    expect(documents.get(CREDENTIAL_ID)).toEqual(active);
  });

  it('shows the time of its revocation', () => {
    const past = recorded<PartnerCredentialEvent>(stream, credentialCreated, credentialRevoked);
    expect(project(partnerCredentialsProjection, past).get(CREDENTIAL_ID)).toEqual({
      ...active,
      status: 'revoked',
      revoked_at: plus(NOON, 1000),
    });
  });

  it('never shows the hash', () => {
    const document = project(partnerCredentialsProjection, recorded(stream, credentialCreated)).get(
      CREDENTIAL_ID,
    );
    expect(document && Object.keys(withoutHash(document))).not.toContain('hash');
  });
});
