import { sha256 } from '../../kernel/ids.js';
import { claimDecider, type ClaimCommand, type ClaimState, type ClaimTaken } from './domain/claim.decider.js';
import type { ClaimEvent } from './domain/claim.events.js';
import type { Aggregate } from '../../event-sourcing/index.js';

export { Claim, type ClaimTaken } from './domain/claim.decider.js';
export type { ClaimEvent, ClaimKind } from './domain/claim.events.js';

export const claims: Aggregate<ClaimState, ClaimCommand, ClaimEvent, ClaimTaken> = {
  category: 'claim',
  decider: claimDecider,
};

/** SHA-256 over kind and parts keeps business data out of stream names. */
export function claimId(kind: string, ...parts: readonly string[]): string {
  return sha256(JSON.stringify([kind, ...parts]));
}
