import type {
  ApiKeyEvent,
  PartnerCredentialEvent,
} from '../../src/contexts/accounts/domain/account.events.js';
import { plus } from '../../src/kernel/time.js';
import {
  ACCOUNT_ID,
  CREDENTIAL_ID,
  credentialCreated,
  credentialRevoked,
  key,
  KEY_ID,
  keyCreated,
  keyRevoked,
  PARTNER_ID,
  partnerCredential,
} from '../../test/kit/examples/accounts.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded } from '../../test/kit/recorded.js';
import { withoutHash } from '../../src/api/operator/operator.resources.js';
import { apiKeysProjection, partnerCredentialsProjection } from './credentials.projection.js';

const keyStream = `apiKey-${KEY_ID}`;
const activeKey = {
  key_id: KEY_ID,
  account_id: ACCOUNT_ID,
  name: 'backend',
  scopes: key.scopes,
  status: 'active',
  last4: 'x9Zq',
  created_at: NOON,
  created_by: { kind: 'operator', id: 'operator' },
  hash: key.hash,
};

describe('showing an API key', () => {
  it('is active, with its name and scopes', () => {
    expect(project(apiKeysProjection, recorded(keyStream, keyCreated)).get(KEY_ID)).toEqual(activeKey);
  });

  it('shows its expiry', () => {
    const limited = { ...keyCreated, data: { ...keyCreated.data, expiresAt: plus(NOON, 5) } };
    const document = project(apiKeysProjection, recorded(keyStream, limited)).get(KEY_ID);
    expect(document?.expires_at).toBe(plus(NOON, 5));
  });

  it('shows the time of its revocation', () => {
    const document = project(apiKeysProjection, recorded<ApiKeyEvent>(keyStream, keyCreated, keyRevoked)).get(
      KEY_ID,
    );
    expect(document).toEqual({ ...activeKey, status: 'revoked', revoked_at: plus(NOON, 1000) });
  });

  it('never shows the hash', () => {
    const document = project(apiKeysProjection, recorded(keyStream, keyCreated)).get(KEY_ID);
    expect(document && Object.keys(withoutHash(document))).not.toContain('hash');
  });
});

const credentialStream = `partnerCredential-${CREDENTIAL_ID}`;
const activeCredential = {
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
    const documents = project(partnerCredentialsProjection, recorded(credentialStream, credentialCreated));
    expect(documents.get(CREDENTIAL_ID)).toEqual(activeCredential);
  });

  it('shows the time of its revocation', () => {
    const past = recorded<PartnerCredentialEvent>(credentialStream, credentialCreated, credentialRevoked);
    expect(project(partnerCredentialsProjection, past).get(CREDENTIAL_ID)).toEqual({
      ...activeCredential,
      status: 'revoked',
      revoked_at: plus(NOON, 1000),
    });
  });

  it('never shows the hash', () => {
    const document = project(partnerCredentialsProjection, recorded(credentialStream, credentialCreated)).get(
      CREDENTIAL_ID,
    );
    expect(document && Object.keys(withoutHash(document))).not.toContain('hash');
  });
});
