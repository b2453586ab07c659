import type { AccountDocument } from '../../../../projections/accounts/accounts.js';
import type { ComputerDocument } from '../../../../projections/computers/computers.js';
import { CREDENTIAL_ENDS_SOON } from '../../../../projections/computers/computers.queries.js';
import type { ApiKeyQueries } from '../../../../projections/credentials/credentials.queries.js';
import type { DeliveryDocument } from '../../../../projections/webhook-deliveries/webhook-deliveries.js';
import { type Instant, type Milliseconds, plus } from '../../../kernel/time.js';
import type { Attention, EndingCredential, StuckPrinter } from './overview.resource.js';

const SOON: Milliseconds = 14 * 24 * 3_600_000;
const NEARLY = 0.9;
/** A receiver that refuses the second attempt too is more than busy. */
const FAILING_ATTEMPTS = 2;

/** What needs attention; `since` is that of the oldest. */
export type Needed = Omit<Attention, 'since'> & { readonly since: Instant | null | undefined };

type Key = Awaited<ReturnType<ApiKeyQueries['listKeys']>>['items'][number];

/** Keys that expire within 14 days; `since` is when the first of them came that near. */
export function expiringKeys(keys: readonly Key[], now: Instant): Needed | undefined {
  const ends = keys
    .filter(({ status }) => status === 'active')
    .flatMap(({ expires_at: end }) => (end && end > now && end <= plus(now, SOON) ? [end] : []));
  if (ends.length === 0) return undefined;
  const since = plus(oldestOf(ends)!, -SOON);
  return { kind: 'key_expires_soon', count: ends.length, since, link: '#/keys' };
}

export function stuckSince(stuck: readonly StuckPrinter[]): Needed | undefined {
  if (stuck.length === 0) return undefined;
  const since = oldestOf(stuck.map((printer) => printer.since));
  return { kind: 'printer_stuck', count: stuck.length, since, link: '#/devices' };
}

/** Agents renew theirs earlier: these have not been connected. */
export function endingCredentials(
  computers: readonly ComputerDocument[],
  now: Instant,
): readonly EndingCredential[] {
  const soon = plus(now, CREDENTIAL_ENDS_SOON);
  return computers.flatMap(({ computer_id, credential_expires_at }) =>
    credential_expires_at && credential_expires_at <= soon ? [{ computer_id, credential_expires_at }] : [],
  );
}

export function expiringComputers(ending: readonly EndingCredential[]): Needed | undefined {
  if (ending.length === 0) return undefined;
  const first = oldestOf(ending.map(({ credential_expires_at }) => credential_expires_at))!;
  const since = plus(first, -CREDENTIAL_ENDS_SOON);
  return { kind: 'device_credential_ends', count: ending.length, since, link: '#/devices' };
}

export function planUsed({ plan }: AccountDocument, used: number): Needed | undefined {
  const { jobs_per_month: limit } = plan;
  if (limit === null || used < limit * NEARLY) return undefined;
  const kind = used < limit ? 'plan_nearly_used' : 'plan_used_up';
  return { kind, count: used, since: null, link: '#/account' };
}

/** Webhooks whose deliveries fail again and again, but are still tried. */
export function failingWebhooks(retried: readonly DeliveryDocument[]): Needed | undefined {
  const failing = retried.filter(({ attempt_count }) => attempt_count >= FAILING_ATTEMPTS);
  const first = new Map<string, Instant>();
  for (const { webhook_id, created_at } of failing) {
    const before = first.get(webhook_id);
    if (before === undefined || created_at < before) first.set(webhook_id, created_at);
  }
  return needed('webhook_failing', '#/webhooks', [...first.values()]);
}

/** @param times since when each of them needs attention */
export function needed(kind: Attention['kind'], link: string, times: readonly Instant[]): Needed | undefined {
  return times.length === 0 ? undefined : { kind, count: times.length, since: oldestOf(times), link };
}

export const oldestOf = (times: readonly Instant[]): Instant | undefined => [...times].sort()[0];
