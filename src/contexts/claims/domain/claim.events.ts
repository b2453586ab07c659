import type { Instant } from '../../../kernel/time.js';

/** What a claim makes unique. */
export type ClaimKind =
  'job-create' | 'job-retry' | 'slug' | 'installation' | 'partner-account' | 'device-code';

/** A unique thing belongs to `subject`. A later one on the same stream means that the earlier had run out. */
export interface Claimed {
  readonly type: 'Claimed';
  readonly data: {
    readonly kind: ClaimKind;
    /** Id of the aggregate that the claim is for. */
    readonly subject: string;
    /** SHA-256 of the request, where the same claim with another request is a conflict. */
    readonly fingerprint?: string;
    /** From here on the claim is free again; absent = never. */
    readonly expiresAt?: Instant;
  };
}

export type ClaimEvent = Claimed;
