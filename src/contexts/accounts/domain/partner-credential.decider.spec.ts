import { storyOf } from '../../../../test/kit/decider.js';
import {
  createCredential,
  credentialCreated,
  credentialRevoked,
  revokeCredential,
} from '../../../../test/kit/examples/accounts.js';
import { partnerCredentialDecider } from './partner-credential.decider.js';

const { given } = storyOf(partnerCredentialDecider);

describe('creating a partner credential', () => {
  it('stores its scopes and its hash', () => {
    given().when(createCredential()).then(credentialCreated);
  });

  it('restricts a test credential to diagnostics', () => {
    const forTests = { kind: 'test', scopes: ['diagnostics:read'] } as const;
    given()
      .when(createCredential('test', ['diagnostics:read']))
      .then({ ...credentialCreated, data: { ...credentialCreated.data, ...forTests } });
    given()
      .when(createCredential('test', ['diagnostics:read', 'jobs:read']))
      .thenRejected('ScopeNotForTest', { scope: 'jobs:read' });
  });

  it('is refused without a scope and with an unknown one', () => {
    given().when(createCredential('live', [])).thenRejected('ScopesMissing');
    given()
      .when(createCredential('live', ['jobs:create']))
      .thenRejected('ScopeUnknown', { scope: 'jobs:create' });
  });

  it('writes nothing when repeated', () => {
    given(credentialCreated).when(createCredential()).thenNothing();
  });
});

describe('revoking a partner credential', () => {
  it('revokes it once', () => {
    given(credentialCreated).when(revokeCredential).then(credentialRevoked);
    given(credentialCreated, credentialRevoked).when(revokeCredential).thenNothing();
  });

  it('is refused for a credential that does not exist', () => {
    given().when(revokeCredential).thenRejected('PartnerCredentialNotFound');
  });
});
