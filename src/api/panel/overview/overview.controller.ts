import { Controller, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import type { ComputerDocument } from '../../../../projections/computers/computers.js';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { ApiKeyQueries } from '../../../../projections/credentials/credentials.queries.js';
import type { HoldUp } from '../../../../projections/job-view/hold-up.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import type { PrinterDocument } from '../../../../projections/printers/printers.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import { JOB_STATUSES, JobLists } from '../../../contexts/jobs/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Clock, elapsed, type Instant, type Milliseconds } from '../../../kernel/time.js';
import { countEach } from '../../resources/activity.resource.js';
import { webhookResources } from '../../resources/webhook.resource.js';
import { panel } from '../panel.surface.js';
import { lateJobResource } from '../queues/late-job.resource.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import {
  endingCredentials,
  expiringComputers,
  expiringKeys,
  failingWebhooks,
  needed,
  type Needed,
  type OfflinePrinter,
  Overview,
  ofPrinters,
  planUsed,
  type PrinterBehind,
  type StuckPrinter,
  type WaitingJobs,
} from './overview.resource.js';

const FRESH: Milliseconds = 5_000;
const ACCOUNTS = 1_000;
/** Counting stops here where the store keeps no total. */
const COUNTED = 100;
const NEWEST = { limit: 1_000, offset: 0 };
const MAX_QUEUES = 500;

/** A printer with jobs that wait, or that its computer has. */
interface Queue {
  readonly printer: PrinterDocument;
  /** Queued. */
  readonly waiting: number;
  readonly waitingSince: Instant | undefined;
  readonly holdUp: HoldUp | undefined;
}

type Counts = Overview['counts'];

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
    private readonly liveness: LivenessStore,
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
      countEach(JOB_STATUSES, (status) => this.jobs.countOfAccount(accountId, { status })),
      this.lists.countCreatedInMonth(accountId, now.slice(0, 'YYYY-MM'.length)),
      this.computers.listComputers(accountId, {}, NEWEST),
      this.keys.listKeys(accountId, NEWEST),
    ]);
    const queues = await this.queues(accountId, now);
    const offline = offlineOf(queues);
    const behind = behindOf(queues);
    const counted = await Promise.all([
      this.inReview(accountId, counts),
      this.deadLetters(accountId),
      this.failingWebhooks(accountId),
    ]);
    const paused = await this.pausedWebhooks(accountId);
    const ending = endingCredentials(computers.items, now);
    const stuck = await this.stuckPrinters(accountId, computers.items);
    const all = [
      ofPrinters('printer_offline_with_jobs', offline),
      ofPrinters(
        'printer_backlog',
        behind.map(({ printer_id, job: { since } }) => ({ printer_id, since })),
      ),
      ...counted,
      ...paused,
      ofPrinters('printer_stuck', stuck),
      expiringKeys(keys.items, now),
      expiringComputers(ending),
      planUsed(account, used),
    ];
    return {
      counts,
      waiting: waitingOf(queues),
      printers_offline: offline,
      printers_behind: behind,
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

  private async queues(accountId: string, now: Instant): Promise<readonly Queue[]> {
    const unfinished = (await this.jobs.unfinishedByPrinter(accountId)).slice(0, MAX_QUEUES);
    const ids = unfinished.map(({ printerId }) => printerId);
    const printers = await this.printers.getPrinters(accountId, ids);
    const counts = new Map(unfinished.map(({ printerId, ...count }) => [printerId, count]));
    const found = printers.map(async (printer) => {
      const count = counts.get(printer.printer_id)!;
      return { printer, waiting: count.waiting, ...(await this.jobs.firstUnfinished(printer, count, now)) };
    });
    return Promise.all(found);
  }

  private async inReview(accountId: string, { manual_review: count }: Counts): Promise<Needed | undefined> {
    if (count === 0) return undefined;
    const since = await this.jobs.reviewSince(accountId);
    return { kind: 'jobs_in_review', count, since, link: '#/jobs?status=manual_review' };
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
    const since = found.map(({ updated_at }) => updated_at);
    return needed('dead_letters', '#/webhooks?status=dead_letter', since);
  }

  private async failingWebhooks(accountId: string): Promise<Needed | undefined> {
    const retrying = { status: 'retry_scheduled' } as const;
    const retried = await this.deliveries.listDeliveries(accountId, retrying, COUNTED, 'oldest');
    if (retried.length === 0) return undefined;
    const webhooks = await this.webhooks.listWebhooks(accountId);
    return failingWebhooks(retried, await webhookResources(webhooks, this.liveness));
  }

  private async pausedWebhooks(accountId: string): Promise<readonly (Needed | undefined)[]> {
    const paused = (await this.webhooks.listWebhooks(accountId)).filter(({ status }) => status === 'paused');
    const timesOf = (isGivenUp: boolean) =>
      paused.flatMap(({ paused_reason: reason, paused_at, updated_at }) =>
        (reason === 'failing') === isGivenUp ? [paused_at ?? updated_at] : [],
      );
    return [
      needed('webhook_paused', '#/webhooks', timesOf(false)),
      needed('webhook_given_up', '#/webhooks', timesOf(true)),
    ];
  }
}

/** Most queued jobs first. */
function waitingOf(queues: readonly Queue[]): readonly WaitingJobs[] {
  const waiting = queues.filter(({ waiting: count }) => count > 0).sort((a, b) => b.waiting - a.waiting);
  return waiting.map(({ printer: { printer_id }, waiting: count, waitingSince: since }) => ({
    ...{ printer_id, count, since: since ?? null },
  }));
}

/** Those that have been held up longest first. */
function behindOf(queues: readonly Queue[]): readonly PrinterBehind[] {
  const behind = queues.flatMap(({ printer, holdUp }) => {
    if (!holdUp) return [];
    const { printer_id, name: printer_name, computer_name } = printer;
    return [{ printer_id, printer_name, computer_name, job: lateJobResource(holdUp) }];
  });
  return behind.sort((a, b) => (a.job.since < b.job.since ? -1 : 1));
}

function offlineOf(queues: readonly Queue[]): readonly OfflinePrinter[] {
  const offline = queues.filter(({ printer }) => printer.status !== 'online');
  return offline.map(({ printer: { printer_id, updated_at: since } }) => ({ printer_id, since }));
}

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
