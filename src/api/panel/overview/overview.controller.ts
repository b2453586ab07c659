import { Controller, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AccountDocument } from '../../../../projections/accounts/accounts.js';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import type { ComputerDocument } from '../../../../projections/computers/computers.js';
import {
  ComputerQueries,
  CREDENTIAL_ENDS_SOON,
} from '../../../../projections/computers/computers.queries.js';
import { ApiKeyQueries } from '../../../../projections/credentials/credentials.queries.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import { JOB_STATUSES, JobLists } from '../../../contexts/jobs/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Clock, elapsed, type Instant, type Milliseconds, plus } from '../../../kernel/time.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import {
  type Attention,
  type EndingCredential,
  Overview,
  type StuckPrinter,
  type WaitingJobs,
} from './overview.resource.js';

const FRESH: Milliseconds = 5_000;
const ACCOUNTS = 1_000;
/** Counting stops here where the store keeps no total. */
const COUNTED = 100;
const NEWEST = { limit: 1_000, offset: 0 };
const SOON: Milliseconds = 14 * 24 * 3_600_000;
const NEARLY = 0.9;

type Counts = Overview['counts'];
/** What needs attention; `since` is that of the oldest. */
type Needed = Omit<Attention, 'since'> & { readonly since: Instant | null | undefined };

/** What the pages show first, computed at most every five seconds for an account. */
@Injectable()
export class Overviews {
  private readonly computed = new LRUCache<
    string,
    { readonly at: Instant; readonly overview: Promise<Overview> }
  >({
    max: ACCOUNTS,
  });

  constructor(
    private readonly accounts: AccountQueries,
    private readonly jobs: JobQueries,
    private readonly lists: JobLists,
    private readonly computers: ComputerQueries,
    private readonly printers: PrinterQueries,
    private readonly keys: ApiKeyQueries,
    private readonly webhooks: WebhookQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly clock: Clock,
  ) {}

  /** @throws UnavailableError */
  get(accountId: string): Promise<Overview> {
    const now = this.clock.now();
    const known = this.computed.get(accountId);
    if (known && elapsed(known.at, now) < FRESH) return known.overview;
    const overview = this.compute(accountId, now);
    this.computed.set(accountId, { at: now, overview });
    overview.catch(() => this.computed.delete(accountId));
    return overview;
  }

  private async compute(accountId: string, now: Instant): Promise<Overview> {
    const account = orNotFound(await this.accounts.getAccount(accountId), 'ACCOUNT_NOT_FOUND');
    const [counts, used, computers, keys] = await Promise.all([
      this.counts(accountId),
      this.lists.countCreatedInMonth(accountId, now.slice(0, 'YYYY-MM'.length)),
      this.computers.listComputers(accountId, {}, NEWEST),
      this.keys.listKeys(accountId, NEWEST),
    ]);
    const waiting = await this.waiting(accountId, counts.queued);
    const needed = await Promise.all([
      this.inReview(accountId, counts),
      this.offlinePrinters(accountId, waiting),
      this.deadLetters(accountId),
      this.pausedWebhooks(accountId),
    ]);
    const ending = endingCredentials(computers.items, now);
    const stuck = await this.stuckPrinters(accountId, computers.items);
    const all = [
      ...needed,
      stuckSince(stuck),
      expiringKeys(keys.items, now),
      expiringComputers(ending),
      nearlyUsed(account, used),
    ];
    return {
      counts,
      waiting,
      ending_credentials: ending,
      stuck_printers: stuck,
      month: { used, limit: account.plan.jobs_per_month },
      first_steps: {
        computer: computers.total > 0,
        job: Object.values(counts).some((count) => count > 0),
        key: keys.total > 0,
      },
      attention: all.flatMap((one) => (one ? [{ ...one, since: one.since ?? null }] : [])),
    };
  }

  private async counts(accountId: string): Promise<Counts> {
    const counted = JOB_STATUSES.map(async (status) => [
      status,
      await this.jobs.countOfAccount(accountId, { status }),
    ]);
    return Object.fromEntries(await Promise.all(counted)) as Counts;
  }

  /** Of the printers for which the oldest queued jobs wait. */
  private async waiting(accountId: string, queued: number): Promise<readonly WaitingJobs[]> {
    if (queued === 0) return [];
    const printerIds = await this.jobs.printersWithQueue(accountId);
    return Promise.all(
      printerIds.map(async (printer_id) => ({
        printer_id,
        count: await this.jobs.countOfAccount(accountId, { status: 'queued', printerId: printer_id }),
      })),
    );
  }

  private async inReview(accountId: string, { manual_review: count }: Counts): Promise<Needed | undefined> {
    if (count === 0) return undefined;
    const oldest = { limit: 1, offset: count - 1 };
    const { items } = await this.jobs.listJobs(accountId, { status: 'manual_review' }, oldest);
    const link = '#/jobs?status=manual_review';
    return { kind: 'jobs_in_review', count, since: items[0]?.manual_review_at, link };
  }

  private async offlinePrinters(
    accountId: string,
    waiting: readonly WaitingJobs[],
  ): Promise<Needed | undefined> {
    const found = await Promise.all(
      waiting.map(({ printer_id }) => this.printers.getPrinter(accountId, printer_id)),
    );
    const offline = found.filter((printer) => printer && printer.status !== 'online');
    if (offline.length === 0) return undefined;
    const since = oldestOf(offline.map((printer) => printer!.updated_at));
    return { kind: 'printer_offline_with_jobs', count: offline.length, since, link: '#/devices' };
  }

  private async stuckPrinters(
    accountId: string,
    computers: readonly ComputerDocument[],
  ): Promise<readonly StuckPrinter[]> {
    const found = computers.map(async ({ computer_id: computerId, status, health }) => {
      const stuck = status === 'online' ? (health?.stuck_printers ?? []) : [];
      if (stuck.length === 0) return [];
      const { items } = await this.printers.listPrinters(accountId, { computerId }, NEWEST);
      const idOf = new Map(items.map(({ printer_key, printer_id }) => [printer_key, printer_id]));
      return stuck.flatMap(({ printer_key, reason, since }) => {
        const printer_id = idOf.get(printer_key);
        return printer_id === undefined ? [] : [{ printer_id, reason, since }];
      });
    });
    return (await Promise.all(found)).flat();
  }

  private async deadLetters(accountId: string): Promise<Needed | undefined> {
    const found = await this.deliveries.listDeliveries(accountId, { status: 'dead_letter' }, COUNTED);
    if (found.length === 0) return undefined;
    const since = oldestOf(found.map(({ updated_at }) => updated_at));
    return { kind: 'dead_letters', count: found.length, since, link: '#/webhooks?status=dead_letter' };
  }

  private async pausedWebhooks(accountId: string): Promise<Needed | undefined> {
    const paused = (await this.webhooks.listWebhooks(accountId)).filter(({ status }) => status === 'paused');
    if (paused.length === 0) return undefined;
    const since = oldestOf(paused.map(({ updated_at }) => updated_at));
    return { kind: 'webhook_paused', count: paused.length, since, link: '#/webhooks' };
  }
}

type Key = Awaited<ReturnType<ApiKeyQueries['listKeys']>>['items'][number];

/** Keys that expire within 14 days; `since` is when the first of them came that near. */
function expiringKeys(keys: readonly Key[], now: Instant): Needed | undefined {
  const ends = keys
    .filter(({ status }) => status === 'active')
    .flatMap(({ expires_at: end }) => (end && end > now && end <= plus(now, SOON) ? [end] : []));
  if (ends.length === 0) return undefined;
  const since = plus(oldestOf(ends)!, -SOON);
  return { kind: 'key_expires_soon', count: ends.length, since, link: '#/keys' };
}

function stuckSince(stuck: readonly StuckPrinter[]): Needed | undefined {
  if (stuck.length === 0) return undefined;
  const since = oldestOf(stuck.map((printer) => printer.since));
  return { kind: 'printer_stuck', count: stuck.length, since, link: '#/devices' };
}

/** Agents renew theirs earlier: these have not been connected. */
function endingCredentials(
  computers: readonly ComputerDocument[],
  now: Instant,
): readonly EndingCredential[] {
  const soon = plus(now, CREDENTIAL_ENDS_SOON);
  return computers.flatMap(({ computer_id, credential_expires_at }) =>
    credential_expires_at && credential_expires_at <= soon ? [{ computer_id, credential_expires_at }] : [],
  );
}

function expiringComputers(ending: readonly EndingCredential[]): Needed | undefined {
  if (ending.length === 0) return undefined;
  const first = oldestOf(ending.map(({ credential_expires_at }) => credential_expires_at))!;
  const since = plus(first, -CREDENTIAL_ENDS_SOON);
  return { kind: 'device_credential_ends', count: ending.length, since, link: '#/devices' };
}

function nearlyUsed({ plan }: AccountDocument, used: number): Needed | undefined {
  const { jobs_per_month: limit } = plan;
  if (limit === null || used < limit * NEARLY) return undefined;
  return { kind: 'plan_nearly_used', count: used, since: null, link: '#/account' };
}

const oldestOf = (times: readonly Instant[]): Instant | undefined => [...times].sort()[0];

const Operation = operationsOf(panel, { tag: 'Account' });

@Controller()
export class OverviewController {
  constructor(private readonly overviews: Overviews) {}

  @Operation({
    id: 'getOverview',
    route: 'GET /v1/panel/overview',
    summary: 'Show what needs attention',
    description: 'Computed at most every five seconds.',
    scopes: ['jobs:read'],
    limit: { perMinute: 60 },
    success: ok('Counts, use and what needs a person.', Overview),
  })
  async get(@Caller() { accountId }: MemberPrincipal) {
    return await this.overviews.get(accountId);
  }
}
