import { accept, reject, type Decider } from '../../../kernel/decider.js';
import type {
  CreatePartnerCredential,
  PartnerCredentialCommand,
  PartnerCredentialRejection,
} from './partner-credential.commands.js';
import type { PartnerCredentialEvent } from './partner-credential.events.js';
import { PARTNER_SCOPES, scopesFrom, TEST_SCOPES } from './scopes.js';

export interface PartnerCredential {
  readonly status: 'absent' | 'active' | 'revoked';
}

export const partnerCredentialDecider: Decider<
  PartnerCredential,
  PartnerCredentialCommand,
  PartnerCredentialEvent,
  PartnerCredentialRejection
> = {
  initialState: { status: 'absent' },

  decide(credential, command) {
    switch (command.kind) {
      case 'CreatePartnerCredential':
        return credential.status === 'absent' ? create(command) : accept();
      case 'RevokePartnerCredential':
        if (credential.status === 'absent') return reject({ code: 'PartnerCredentialNotFound' });
        if (credential.status === 'revoked') return accept();
        return accept({ type: 'PartnerCredentialRevoked', data: {} });
    }
  },

  evolve(_credential, event) {
    return { status: event.type === 'PartnerCredentialCreated' ? 'active' : 'revoked' };
  },
};

function create({ credentialId, credential }: CreatePartnerCredential) {
  const wanted = scopesFrom(PARTNER_SCOPES, credential.scopes);
  if ('refused' in wanted) return reject(wanted.refused);
  const forTests: readonly string[] = TEST_SCOPES;
  const tooMuch = wanted.scopes.find((scope) => !forTests.includes(scope));
  if (credential.kind === 'test' && tooMuch) {
    return reject({ code: 'ScopeNotForTest' as const, scope: tooMuch });
  }
  return accept<PartnerCredentialEvent>({
    type: 'PartnerCredentialCreated',
    data: { credentialId, ...credential, scopes: wanted.scopes },
  });
}
