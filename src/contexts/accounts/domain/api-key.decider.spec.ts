import { storyOf } from '../../../../test/kit/decider.js';
import { createKey, keyCreated, keyRevoked, revokeKey } from '../../../../test/kit/examples/accounts.js';
import { apiKeyDecider } from './api-key.decider.js';
import { INTEGRATION_SCOPES } from './scopes.js';

const { given } = storyOf(apiKeyDecider);

describe('creating an API key', () => {
  it('stores its scopes and its hash', () => {
    given().when(createKey()).then(keyCreated);
  });

  it('stores every scope once, in the order of the catalogue', () => {
    given()
      .when(createKey(['jobs:create', 'jobs:read', 'jobs:create']))
      .then(keyCreated);
    given()
      .when(createKey([...INTEGRATION_SCOPES].reverse()))
      .then({ ...keyCreated, data: { ...keyCreated.data, scopes: INTEGRATION_SCOPES } });
  });

  it('is refused without a scope and with an unknown one', () => {
    given().when(createKey([])).thenRejected('ScopesMissing');
    given()
      .when(createKey(['jobs:read', 'accounts:write']))
      .thenRejected('ScopeUnknown', { scope: 'accounts:write' });
  });

  it('writes nothing when repeated, even after a revocation', () => {
    given(keyCreated).when(createKey()).thenNothing();
    given(keyCreated, keyRevoked).when(createKey()).thenNothing();
  });
});

describe('revoking an API key', () => {
  it('revokes it once', () => {
    given(keyCreated).when(revokeKey).then(keyRevoked);
    given(keyCreated, keyRevoked).when(revokeKey).thenNothing();
  });

  it('is refused for a key that does not exist', () => {
    given().when(revokeKey).thenRejected('ApiKeyNotFound');
  });
});
