import { Command } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { ComputerDescription } from './domain/computer.events.js';

/** An agent redeems its token for a device credential. The token is the only proof of who it is. */
export class RedeemEnrollment extends Command<Redeemed> {
  constructor(
    /** A secret: never logged, never stored. */
    readonly token: string,
    readonly installationId: string,
    readonly description: ComputerDescription,
    readonly at: Instant,
    readonly origin: Pick<Origin, 'correlationId' | 'requestId'>,
  ) {
    super();
  }
}

export type Redeemed =
  | {
      readonly ok: true;
      readonly computerId: string;
      /** A secret, shown this once. */
      readonly credential: string;
      readonly credentialExpiresAt: Instant;
    }
  | { readonly ok: false; readonly rejection: { readonly code: 'EnrollmentTokenInvalid' } };
