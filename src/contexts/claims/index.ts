import { sha256 } from '../../kernel/ids.js';
import { claimDecider } from './domain/claim.decider.js';
import { aggregate } from '../../event-sourcing/index.js';

export { Claim, type ClaimTaken } from './domain/claim.decider.js';
export type { ClaimEvent, ClaimKind } from './domain/claim.decider.js';

export const claims = aggregate({ category: 'claim', decider: claimDecider });

/** SHA-256 over kind and parts keeps business data out of stream names. */
export function claimId(kind: string, ...parts: readonly string[]): string {
  return sha256(JSON.stringify([kind, ...parts]));
}
