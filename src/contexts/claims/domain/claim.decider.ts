import type { EventsOf } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import { command, type Outcome } from '../../../kernel/command.js';
import { accept, reject, type Decider } from '../../../kernel/decider.js';

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

export type ClaimState =
  { readonly status: 'free' } | ({ readonly status: 'claimed' } & ClaimEventData['Claimed']);

/** The first append to the claim's stream wins (docs/architecture.md, "The write side"). */
export const claimDecider: Decider<ClaimState, ClaimCommand, ClaimEvent, ClaimTaken> = {
  initialState: { status: 'free' },

  decide(state, { claimKind: kind, subject, fingerprint, expiresAt, at }) {
    if (state.status === 'claimed' && (state.expiresAt === undefined || at < state.expiresAt)) {
      const { subject: holder, fingerprint: theirs, expiresAt: until } = state;
      return reject({ code: 'ClaimTaken', subject: holder, fingerprint: theirs, expiresAt: until });
    }
    return accept({ type: 'Claimed', data: { kind, subject, fingerprint, expiresAt } });
  },

  evolve(_state, event) {
    return { status: 'claimed', ...event.data };
  },
};
