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
  it('keeps its scopes and its hash', () => {
    given().when(createCredential()).then(credentialCreated);
  });

  it('gives a test credential diagnostics and nothing else', () => {
    const forTests = { kind: 'test', scopes: ['diagnostics:read'] } as const;
    given()
      .when(createCredential('test', ['diagnostics:read']))
      .then({ ...credentialCreated, data: { ...credentialCreated.data, ...forTests } });
    given()
      .when(createCredential('test', ['diagnostics:read', 'jobs:read']))
      .thenRejected('ScopeNotForTest', { scope: 'jobs:read' });
  });

  it('is refused without a scope, and with one that is none', () => {
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
  it('ends it, once', () => {
    given(credentialCreated).when(revokeCredential).then(credentialRevoked);
    given(credentialCreated, credentialRevoked).when(revokeCredential).thenNothing();
  });

  it('is refused for a credential that is not there', () => {
    given().when(revokeCredential).thenRejected('PartnerCredentialNotFound');
  });
});
