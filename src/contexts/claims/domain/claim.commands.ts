import { Command, type Outcome } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { ClaimEvent, ClaimKind } from './claim.events.js';

/** The value is claimed; holder and fingerprint distinguish a repeat from a conflict. */
export interface ClaimTaken {
  readonly code: 'ClaimTaken';
  readonly subject: string;
  readonly fingerprint?: string;
  readonly expiresAt?: string;
}

export class Claim extends Command<Outcome<unknown, ClaimEvent, ClaimTaken>> {
  constructor(
    readonly kind: ClaimKind,
    readonly subject: string,
    readonly fingerprint: string | undefined,
    readonly expiresAt: Instant | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type ClaimCommand = Claim;
