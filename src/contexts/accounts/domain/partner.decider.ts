import { command, type Outcome } from '../../../kernel/command.js';
import { accept, reject, type Decider } from '../../../kernel/decider.js';
import type { PartnerCredentialEventData, PartnerCredentialEvent, PartnerEvent } from './account.events.js';
import { PARTNER_SCOPES, scopesFrom, TEST_SCOPES, type ScopeRejection } from './scopes.js';

export class CreatePartner extends command('CreatePartner')<
  { partnerId: string; name: string; slug: string },
  Outcome<unknown, PartnerEvent, never>
> {}

export type PartnerCommand = CreatePartner;

export interface Partner {
  readonly status: 'absent' | 'active';
}

export type PartnerRejection = never;

export const partnerDecider: Decider<Partner, PartnerCommand, PartnerEvent, PartnerRejection> = {
  initialState: { status: 'absent' },

  decide(partner, { partnerId, name, slug }) {
    if (partner.status === 'active') return accept();
    return accept({ type: 'PartnerCreated', data: { partnerId, name, slug } });
  },

  evolve() {
    return { status: 'active' };
  },
};

export type PartnerCredentialRejection =
  | { readonly code: 'PartnerCredentialNotFound' }
  | { readonly code: 'ScopeNotForTest'; readonly scope: string }
  | ScopeRejection;

type PartnerCredentialOutcome = Outcome<unknown, PartnerCredentialEvent, PartnerCredentialRejection>;

export class CreatePartnerCredential extends command('CreatePartnerCredential')<
  {
    credentialId: string;
    credential: Omit<PartnerCredentialEventData['PartnerCredentialCreated'], 'credentialId'>;
  },
  PartnerCredentialOutcome
> {}

export class RevokePartnerCredential extends command('RevokePartnerCredential')<
  { credentialId: string },
  PartnerCredentialOutcome
> {}

export type PartnerCredentialCommand = CreatePartnerCredential | RevokePartnerCredential;

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
