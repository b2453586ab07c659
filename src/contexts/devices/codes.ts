import { sha256 } from '../../kernel/ids.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import { Claim, claimId, claims } from '../claims/index.js';
import type { AggregateStore, Planned } from '../../event-sourcing/index.js';

interface CodeOwner {
  readonly accountId: string;
  readonly computerId: string;
  readonly printerKey?: string;
}

export interface FreeCode {
  /** `PC-` or `PR-` and 8 upper-case hex digits. */
  readonly code: string;
  /** Empty if the owner has already claimed the code. */
  readonly claim: readonly Planned<unknown>[];
}

interface FreeCodeOptions {
  /** Skips reading streams; a taken code then fails at the append. */
  readonly assumeNew?: boolean;
  readonly except?: ReadonlySet<string>;
}

/** Derives codes from the owner's ids, so that a repeat after a crash finds its own claim. */
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
    const claiming = await aggregates.plan(claims, claimId('device-code', accountId, code), claim, {
      assumeNew: options.assumeNew,
    });
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
