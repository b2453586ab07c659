import { command, type Outcome } from '../../../kernel/command.js';
import type { Instant } from '../../../kernel/time.js';
import type { ClaimEvent, ClaimKind } from './claim.events.js';

/** Holder and fingerprint distinguish a repeat from a conflict. */
export interface ClaimTaken {
  readonly code: 'ClaimTaken';
  readonly subject: string;
  readonly fingerprint?: string;
  readonly expiresAt?: string;
}

export class Claim extends command('Claim')<
  { claimKind: ClaimKind; subject: string; fingerprint?: string; expiresAt?: Instant },
  Outcome<unknown, ClaimEvent, ClaimTaken>
> {}

export type ClaimCommand = Claim;
