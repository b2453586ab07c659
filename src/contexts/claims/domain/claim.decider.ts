import { command, type Outcome } from '../../../kernel/command.js';
import { accept, reject, type Decider } from '../../../kernel/decider.js';
import type { Instant } from '../../../kernel/time.js';
import type { ClaimEvent, ClaimKind, ClaimEventData } from './claim.events.js';

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
