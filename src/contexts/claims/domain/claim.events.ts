import type { EventsOf } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';

export type ClaimKind =
  'job-create' | 'job-retry' | 'slug' | 'installation' | 'partner-account' | 'device-code';

export interface ClaimEventData {
  /** A later event in the same stream means that the earlier claim had expired. */
  readonly Claimed: {
    readonly kind: ClaimKind;
    readonly subject: string;
    /** SHA-256 of the request, if a different request is a conflict. */
    readonly fingerprint?: string;
    readonly expiresAt?: Instant;
  };
}

export type ClaimEvent = EventsOf<ClaimEventData>;
