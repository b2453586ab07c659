import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { PartnerCredentialCreated } from './partner-credential.events.js';

/** A credential whose secret only the caller knows. A partner may have several. Repeating it writes nothing. */
export class CreatePartnerCredential {
  readonly kind = 'CreatePartnerCredential';
  constructor(
    readonly credentialId: string,
    readonly credential: Omit<PartnerCredentialCreated['data'], 'credentialId'>,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class RevokePartnerCredential {
  readonly kind = 'RevokePartnerCredential';
  constructor(
    readonly credentialId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export type PartnerCredentialCommand = CreatePartnerCredential | RevokePartnerCredential;
