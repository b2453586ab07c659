import type { Refused } from '../../kernel/command.js';
import type { Rejection } from '../../kernel/decider.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import { Claim, claimId, claims } from '../claims/index.js';
import { ConcurrencyError } from '../../kernel/errors.js';
import type { AggregateStore, Planned } from '../../event-sourcing/index.js';

type Opening = { readonly ok: true; readonly planned: Planned<unknown> } | Refused<Rejection>;

/** Appends the first free slug's claim and what `plan` opens under it together; undefined if no slug is free. */
export async function underFreeSlug(
  aggregates: AggregateStore,
  owner: {
    readonly kind: 'account' | 'partner';
    readonly id: string;
    readonly at: Instant;
    readonly by: Origin;
  },
  candidates: Iterable<string>,
  plan: (slug: string) => Promise<Opening>,
): Promise<string | undefined> {
  for (const slug of candidates) {
    const claim = new Claim({ claimKind: 'slug', subject: owner.id, at: owner.at, by: owner.by });
    const claiming = await aggregates.plan(claims, claimId('slug', owner.kind, slug), claim);
    if (!claiming.ok) continue;
    const opened = await plan(slug);
    if (!opened.ok) throw new Error(`a new ${owner.kind} was refused: ${opened.rejection.code}`);
    try {
      await aggregates.appendInOrder([claiming.planned, opened.planned]);
      return slug;
    } catch (error) {
      if (!(error instanceof ConcurrencyError) || error.stream !== claiming.planned.append.stream)
        throw error;
    }
  }
  return undefined;
}
