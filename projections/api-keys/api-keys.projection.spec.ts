import type { ApiKeyEvent } from '../../src/contexts/accounts/domain/api-key.events.js';
import { plus } from '../../src/kernel/time.js';
import { ACCOUNT_ID, KEY_ID, key, keyCreated, keyRevoked } from '../../test/kit/examples/accounts.js';
import { project } from '../../test/kit/projection.js';
import { NOON, recorded } from '../../test/kit/recorded.js';
import { withoutHash } from '../../src/api/operator/operator.resources.js';
import { apiKeysProjection } from './api-keys.projection.js';

const stream = `apiKey-${KEY_ID}`;
const active = {
  key_id: KEY_ID,
  account_id: ACCOUNT_ID,
  name: 'backend',
  scopes: key.scopes,
  status: 'active',
  last4: 'x9Zq',
  created_at: NOON,
  hash: key.hash,
};

describe('showing an API key', () => {
  it('is active, with its name and scopes', () => {
    expect(project(apiKeysProjection, recorded(stream, keyCreated)).get(KEY_ID)).toEqual(active);
  });

  it('shows its expiry', () => {
    const limited = { ...keyCreated, data: { ...keyCreated.data, expiresAt: plus(NOON, 5) } };
    const document = project(apiKeysProjection, recorded(stream, limited)).get(KEY_ID);
    expect(document?.expires_at).toBe(plus(NOON, 5));
  });

  it('shows the time of its revocation', () => {
    const document = project(apiKeysProjection, recorded<ApiKeyEvent>(stream, keyCreated, keyRevoked)).get(
      KEY_ID,
    );
    expect(document).toEqual({ ...active, status: 'revoked', revoked_at: plus(NOON, 1000) });
  });

  it('never shows the hash', () => {
    const document = project(apiKeysProjection, recorded(stream, keyCreated)).get(KEY_ID);
    expect(document && Object.keys(withoutHash(document))).not.toContain('hash');
  });
});
