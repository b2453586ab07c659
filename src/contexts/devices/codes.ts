import { sha256 } from '../../kernel/ids.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import { Claim, claimId, claims } from '../claims/index.js';
import type { AggregateStore, Planned } from '../../event-sourcing/index.js';

/** The computer, or one of its printers by the agent's own key. */
interface CodeOwner {
  readonly accountId: string;
  readonly computerId: string;
  readonly printerKey?: string;
}

export interface FreeCode {
  /** `PC-` or `PR-` and 8 upper-case hex digits. */
  readonly code: string;
  /** The claim to store before the code is used; empty if the owner has already stored it. */
  readonly claim: readonly Planned<unknown>[];
}

interface FreeCodeOptions {
  /**
   * Does not read streams: a code without a cached claim counts as free, and its append fails if it is taken.
   */
  readonly unseen?: boolean;
  /** Codes claimed for other owners in the same append. */
  readonly except?: ReadonlySet<string>;
}

/**
 * Returns the owner's first code that no other computer or printer of the account has claimed. Codes are
 * derived from the owner's ids, so a repeat after a crash derives the same codes and finds its own claim.
 */
export async function freeCode(
  aggregates: AggregateStore,
  owner: CodeOwner,
  { at, by }: { readonly at: Instant; readonly by: Origin },
  options: FreeCodeOptions = {},
): Promise<FreeCode> {
  const { accountId, computerId, printerKey } = owner;
  const fingerprint = printerKey === undefined ? undefined : sha256(printerKey);
  for (let draw = 0; ; draw++) {
    const code = codeOf(owner, draw);
    if (options.except?.has(code)) continue;
    const claim = new Claim({ claimKind: 'device-code', subject: computerId, fingerprint, at, by });
    const claiming = await aggregates.plan(claims, claimId('device-code', accountId, code), claim, options);
    if (claiming.ok) return { code, claim: [claiming.planned] };
    const { subject, fingerprint: holder } = claiming.rejection;
    if (subject === computerId && holder === fingerprint) return { code, claim: [] };
  }
}

function codeOf({ computerId, printerKey }: CodeOwner, draw: number): string {
  const prefix = printerKey === undefined ? 'PC' : 'PR';
  const digits = sha256(JSON.stringify([prefix, computerId, printerKey, draw])).slice(0, 8);
  return `${prefix}-${digits.toUpperCase()}`;
}
