import { Command, type Outcome } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { PartnerCredentialCreated, PartnerCredentialEvent } from './partner-credential.events.js';
import type { ScopeRejection } from './scopes.js';

export type PartnerCredentialRejection =
  | { readonly code: 'PartnerCredentialNotFound' }
  | { readonly code: 'ScopeNotForTest'; readonly scope: string }
  | ScopeRejection;

type PartnerCredentialOutcome = Outcome<unknown, PartnerCredentialEvent, PartnerCredentialRejection>;

/**
 * Creates a credential whose secret only the caller knows. A partner may have several. Repeating it writes
 * nothing.
 */
export class CreatePartnerCredential extends Command<PartnerCredentialOutcome> {
  readonly kind = 'CreatePartnerCredential';
  constructor(
    readonly credentialId: string,
    readonly credential: Omit<PartnerCredentialCreated['data'], 'credentialId'>,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class RevokePartnerCredential extends Command<PartnerCredentialOutcome> {
  readonly kind = 'RevokePartnerCredential';
  constructor(
    readonly credentialId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type PartnerCredentialCommand = CreatePartnerCredential | RevokePartnerCredential;
