import type { Instant } from '../../../kernel/time.js';

/** Kinds of unique values. */
export type ClaimKind =
  'job-create' | 'job-retry' | 'slug' | 'installation' | 'partner-account' | 'device-code';

/** The value belongs to `subject`. A later claim in the same stream means that the earlier one had expired. */
export interface Claimed {
  readonly type: 'Claimed';
  readonly data: {
    readonly kind: ClaimKind;
    /** Id of the aggregate that the claim is for. */
    readonly subject: string;
    /** SHA-256 of the request, for claims where a different request is a conflict. */
    readonly fingerprint?: string;
    /** The value is free again from this time on; absent = never. */
    readonly expiresAt?: Instant;
  };
}

export type ClaimEvent = Claimed;
