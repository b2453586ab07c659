import { storyOf } from '../../../../test/kit/decider.js';
import {
  createCredential,
  createPartner,
  credentialCreated,
  credentialRevoked,
  partnerCreated,
  revokeCredential,
} from '../../../../test/kit/examples/accounts.js';
import { partnerCredentialDecider, partnerDecider } from './partner.decider.js';

const { given } = storyOf(partnerDecider);

describe('creating a partner', () => {
  it('stores its name and slug', () => {
    given().when(createPartner).then(partnerCreated);
  });

  it('writes nothing when repeated', () => {
    given(partnerCreated).when(createPartner).thenNothing();
  });
});

const { given: givenCredential } = storyOf(partnerCredentialDecider);

describe('creating a partner credential', () => {
  it('stores its scopes and its hash', () => {
    givenCredential().when(createCredential()).then(credentialCreated);
  });

  it('restricts a test credential to diagnostics', () => {
    const forTests = { kind: 'test', scopes: ['diagnostics:read'] } as const;
    givenCredential()
      .when(createCredential('test', ['diagnostics:read']))
      .then({ ...credentialCreated, data: { ...credentialCreated.data, ...forTests } });
    givenCredential()
      .when(createCredential('test', ['diagnostics:read', 'jobs:read']))
      .thenRejected('ScopeNotForTest', { scope: 'jobs:read' });
  });

  it('is refused without a scope and with an unknown one', () => {
    givenCredential().when(createCredential('live', [])).thenRejected('ScopesMissing');
    givenCredential()
      .when(createCredential('live', ['jobs:create']))
      .thenRejected('ScopeUnknown', { scope: 'jobs:create' });
  });

  it('writes nothing when repeated', () => {
    givenCredential(credentialCreated).when(createCredential()).thenNothing();
  });
});

describe('revoking a partner credential', () => {
  it('revokes it once', () => {
    givenCredential(credentialCreated).when(revokeCredential).then(credentialRevoked);
    givenCredential(credentialCreated, credentialRevoked).when(revokeCredential).thenNothing();
  });

  it('is refused for a credential that does not exist', () => {
    givenCredential().when(revokeCredential).thenRejected('PartnerCredentialNotFound');
  });
});
