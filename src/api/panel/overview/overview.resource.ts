import type { AccountDocument } from '../../../../projections/accounts/accounts.js';
import type { ComputerDocument } from '../../../../projections/computers/computers.js';
import { CREDENTIAL_ENDS_SOON } from '../../../../projections/computers/computers.queries.js';
import type { ApiKeyQueries } from '../../../../projections/credentials/credentials.queries.js';
import type { DeliveryDocument } from '../../../../projections/webhook-deliveries/webhook-deliveries.js';
import { JOB_STATUSES } from '../../../contexts/jobs/index.js';
import { Field, orNull } from '../../../http/validation/field.js';
import {
  boolean,
  count,
  dateTime,
  object,
  objects,
  oneOf,
  shaped,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import { type Instant, type Milliseconds, plus } from '../../../kernel/time.js';
import { countsSchema } from '../../resources/activity.resource.js';
import type { Webhook } from '../../resources/webhook.resource.js';
import { LateJob } from '../queues/late-job.resource.js';

export const ATTENTION_KINDS = [
  'jobs_in_review',
  'printer_offline_with_jobs',
  'printer_backlog',
  'printer_stuck',
  'dead_letters',
  'webhook_failing',
  'webhook_paused',
  'webhook_given_up',
  'key_expires_soon',
  'device_credential_ends',
  'plan_nearly_used',
  'plan_used_up',
] as const;

export class Attention {
  @Field(oneOf(...ATTENTION_KINDS)) kind!: (typeof ATTENTION_KINDS)[number];
  @Field(count, { description: 'Of dead letters at most 100' }) count!: number;
  @Field(dateTime(), { nullable: true, description: 'Of the oldest' }) since!: Instant | null;
  @Field(text({ max: 200 }), { description: 'Page of the panel' }) link!: string;
}

export class WaitingJobs {
  @Field(uuid()) printer_id!: string;
  @Field(count) count!: number;
  @Field(dateTime(), { nullable: true, description: 'When the oldest began to wait' }) since!: Instant | null;
}

/** A computer whose device credential ends within 14 days or has ended. */
export class EndingCredential {
  @Field(uuid()) computer_id!: string;
  @Field(dateTime()) credential_expires_at!: Instant;
}

/** A printer whose spooler makes no progress, as its Agent says. */
export class StuckPrinter {
  @Field(uuid()) printer_id!: string;
  @Field(text({ max: 240 })) reason!: string;
  @Field(dateTime()) since!: Instant;
}

/** A printer that is not online, for which jobs wait or whose computer has some. */
export class OfflinePrinter {
  @Field(uuid()) printer_id!: string;
  @Field(dateTime(), { description: 'When it was changed last' }) since!: Instant;
}

/** A printer that is online, and the job that holds it up. */
export class PrinterBehind {
  @Field(uuid()) printer_id!: string;
  @Field(text({ max: 180 })) printer_name!: string;
  @Field(text({ max: 255 })) computer_name!: string;
  @Field(object(() => LateJob)) job!: LateJob;
}

class MonthlyUse {
  @Field(count) used!: number;
  @Field(count, orNull) limit!: number | null;
}

class FirstSteps {
  @Field(boolean(), { description: 'A computer was connected' }) computer!: boolean;
  @Field(boolean(), { description: 'A job was created' }) job!: boolean;
  @Field(boolean(), { description: 'An API key was created' }) key!: boolean;
}

export class Overview {
  @Field(shaped(countsSchema(JOB_STATUSES)), { description: 'Jobs by status' })
  counts!: Readonly<Record<(typeof JOB_STATUSES)[number], number>>;
  @Field(objects(() => WaitingJobs, 500), { description: 'Queued jobs by printer, most first' })
  waiting!: readonly WaitingJobs[];
  @Field(objects(() => OfflinePrinter, 500), {
    description: 'Printers that are not online, for which jobs wait or whose computer has some',
  })
  printers_offline!: readonly OfflinePrinter[];
  @Field(objects(() => PrinterBehind, 500), {
    description:
      'Printers with a job that has waited, or has been at the computer, for more than five minutes; longest first',
  })
  printers_behind!: readonly PrinterBehind[];
  @Field(objects(() => EndingCredential, 1_000), { description: 'Of the newest 1,000 computers' })
  ending_credentials!: readonly EndingCredential[];
  @Field(objects(() => StuckPrinter, 20_000), {
    description: 'Of the newest 1,000 computers, at most 20 each',
  })
  stuck_printers!: readonly StuckPrinter[];
  @Field(object(() => MonthlyUse)) month!: MonthlyUse;
  @Field(object(() => FirstSteps)) first_steps!: FirstSteps;
  @Field(objects(() => Attention, ATTENTION_KINDS.length))
  attention!: readonly Attention[];

  static readonly example: Overview = {
    counts: {
      ...(Object.fromEntries(JOB_STATUSES.map((status) => [status, 0])) as Overview['counts']),
      queued: 3,
      manual_review: 1,
    },
    waiting: [
      { printer_id: '019aa000-0000-7000-8000-0000000000b1', count: 3, since: '2026-11-23T11:59:00.000Z' },
    ],
    printers_offline: [],
    printers_behind: [],
    ending_credentials: [],
    stuck_printers: [],
    month: { used: 412, limit: null },
    first_steps: { computer: true, job: true, key: true },
    attention: [
      {
        kind: 'jobs_in_review',
        count: 1,
        since: '2026-11-23T12:00:00.000Z',
        link: '#/jobs?status=manual_review',
      },
    ],
  };
}

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
  const since = ends.map((end) => plus(end, -SOON));
  return needed('key_expires_soon', '#/keys', since);
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
  const since = ending.map(({ credential_expires_at: end }) => plus(end, -CREDENTIAL_ENDS_SOON));
  return needed('device_credential_ends', '#/devices', since);
}

export function planUsed({ plan }: AccountDocument, used: number): Needed | undefined {
  const { jobs_per_month: limit } = plan;
  if (limit === null || used < limit * NEARLY) return undefined;
  const kind = used < limit ? 'plan_nearly_used' : 'plan_used_up';
  return { kind, count: used, since: null, link: '#/account' };
}

/**
 * Webhooks whose deliveries fail again and again, but are still tried.
 * @param retried deliveries, oldest first
 */
export function failingWebhooks(
  retried: readonly DeliveryDocument[],
  webhooks: readonly Webhook[],
): Needed | undefined {
  const failing = retried.filter(({ attempt_count }) => attempt_count >= FAILING_ATTEMPTS);
  const since = webhooks.flatMap(({ webhook_id, status, failing_since }) => {
    const first = failing.find((delivery) => delivery.webhook_id === webhook_id);
    return first && status === 'active' ? [failing_since ?? first.created_at] : [];
  });
  return needed('webhook_failing', '#/webhooks', since);
}

/** Leads to the printer, or to a list of these printers. */
export function ofPrinters(
  kind: PrinterKind,
  printers: readonly { readonly printer_id: string; readonly since: Instant }[],
): Needed | undefined {
  const [first, ...others] = printers;
  const isOnly = first && others.length === 0;
  const link = isOnly ? `#/devices/printers/${first.printer_id}` : `#/devices?only=${kind}`;
  return needed(
    kind,
    link,
    printers.map(({ since }) => since),
  );
}

type PrinterKind = Extract<Attention['kind'], `printer_${string}`>;

/** @param times since when each of them needs attention */
export function needed(kind: Attention['kind'], link: string, times: readonly Instant[]): Needed | undefined {
  return times.length === 0 ? undefined : { kind, count: times.length, since: [...times].sort()[0], link };
}
