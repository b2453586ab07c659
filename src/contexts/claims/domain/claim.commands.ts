import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { ClaimKind } from './claim.events.js';

export class Claim {
  constructor(
    readonly kind: ClaimKind,
    readonly subject: string,
    readonly fingerprint: string | undefined,
    readonly expiresAt: Instant | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export type ClaimCommand = Claim;
