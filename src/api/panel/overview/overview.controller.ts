import { Controller, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import type { ComputerDocument } from '../../../../projections/computers/computers.js';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { ApiKeyQueries } from '../../../../projections/credentials/credentials.queries.js';
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
import type { MemberPrincipal } from '../session.authenticator.js';
import {
  endingCredentials,
  expiringComputers,
  expiringKeys,
  failingWebhooks,
  needed,
  type Needed,
  Overview,
  planUsed,
  type StuckPrinter,
  type WaitingJobs,
} from './overview.resource.js';

const FRESH: Milliseconds = 5_000;
const ACCOUNTS = 1_000;
/** Counting stops here where the store keeps no total. */
const COUNTED = 100;
const NEWEST = { limit: 1_000, offset: 0 };
const MAX_WAITING = 500;
/** A printer that is online takes its jobs within seconds. */
const BACKLOG: Milliseconds = 5 * 60_000;

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
    const waiting = await this.waiting(accountId);
    const counted = await Promise.all([
      this.inReview(accountId, counts),
      this.deadLetters(accountId),
      this.failingWebhooks(accountId),
    ]);
    const paused = await this.pausedWebhooks(accountId);
    const behind = await this.behindPrinters(accountId, waiting, now);
    const ending = endingCredentials(computers.items, now);
    const stuck = await this.stuckPrinters(accountId, computers.items);
    const all = [
      ...behind,
      ...counted,
      ...paused,
      needed(
        'printer_stuck',
        '#/devices',
        stuck.map(({ since }) => since),
      ),
      expiringKeys(keys.items, now),
      expiringComputers(ending),
      planUsed(account, used),
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

  /** Most jobs first. */
  private async waiting(accountId: string): Promise<readonly WaitingJobs[]> {
    const printers = [...(await this.jobs.waitingByPrinter(accountId))].sort((a, b) => b.count - a.count);
    return Promise.all(
      printers.slice(0, MAX_WAITING).map(async ({ printerId, count }) => ({
        printer_id: printerId,
        count,
        since: (await this.jobs.waitingSince(accountId, printerId)) ?? null,
      })),
    );
  }

  private async inReview(accountId: string, { manual_review: count }: Counts): Promise<Needed | undefined> {
    if (count === 0) return undefined;
    const since = await this.jobs.reviewSince(accountId);
    return { kind: 'jobs_in_review', count, since, link: '#/jobs?status=manual_review' };
  }

  private async behindPrinters(
    accountId: string,
    waiting: readonly WaitingJobs[],
    now: Instant,
  ): Promise<readonly (Needed | undefined)[]> {
    const found = await Promise.all(
      waiting.map(async ({ printer_id, since }) => {
        const printer = await this.printers.getPrinter(accountId, printer_id);
        return printer ? [{ printer, since }] : [];
      }),
    );
    const printers = found.flat();
    const offline = printers.filter(({ printer }) => printer.status !== 'online');
    // A paused printer waits on purpose.
    const late = printers.filter(
      ({ printer: { status, paused }, since }) =>
        status === 'online' && !paused && since !== null && elapsed(since, now) > BACKLOG,
    );
    return [
      needed(
        'printer_offline_with_jobs',
        pageOf(offline),
        offline.map(({ printer }) => printer.updated_at),
      ),
      needed(
        'printer_backlog',
        pageOf(late),
        late.map(({ since }) => since!),
      ),
    ];
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

/** Of the printer, if it is the only one. */
const pageOf = (found: readonly { readonly printer: PrinterDocument }[]) =>
  found.length === 1 ? `#/devices/printers/${found[0]!.printer.printer_id}` : '#/devices';

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
