import { JobSearch } from './job-search.js';
import { LogTimes } from '../../src/contexts/webhooks/ports.js';
import { JobTimes, ViewJobLists } from './view-job-lists.js';
import { JobLists } from '../../src/contexts/jobs/ports.js';
import { Injectable } from '@nestjs/common';
import { hourOf, type Instant } from '../../src/kernel/time.js';
import type { JobEvent } from '../../src/contexts/jobs/domain/job.events.js';
import { HELD_STATUSES, isHeld } from '../../src/contexts/jobs/domain/job.rules.js';
import type { Recorded, RecordedEvent, CreationPosition } from '../../src/kernel/recorded-event.js';
import { archivedJob } from './archived-job.js';
import { holdUpOf, waitingSince, type HoldUp } from './hold-up.js';
import { jobViewProjection } from './job-view.projection.js';
import { jobHours, type JobHours } from './job-hours.js';
import {
  AT_THE_AGENT,
  jobView,
  JOBS_BY_HOUR,
  JOBS_BY_HOUR_OF_ACCOUNT,
  JOBS_OF_PRINTERS,
  listingsOf,
  QUEUE_LISTINGS,
  WAITING_LISTINGS,
  whereOf,
  type JobDocument,
  type JobFilter,
  type Listing,
} from './job-view.js';
import {
  EventStore,
  ViewStore,
  type Found,
  type Keyset,
  type ListPage,
  type ListRange,
  type Where,
} from '../../src/event-sourcing/index.js';
import type { PrinterDocument } from '../printers/printers.js';
import { viewModule } from '../view-module.js';

interface OperatorJobFilter {
  readonly accountId?: string;
  readonly status?: JobDocument['status'];
}

interface PartnerJobFilter {
  readonly listedAs?: readonly Listing[];
  readonly printerId?: string;
}

/** How many jobs of a printer are not finished. */
export interface Unfinished {
  /** Queued. */
  readonly waiting: number;
  /** At the computer of the printer. */
  readonly held: number;
}

/** The first jobs of a printer. */
interface FirstJobs {
  readonly waitingSince: Instant | undefined;
  readonly holdUp: HoldUp | undefined;
}

const SCANNED_AT_ONCE = 500;
/** One more than the jobs of a printer that an Agent can lease, and give back again and again. */
const OLDEST_WAITING = 5;
/** Of a printer at its computer: those that were created first were handed to the spooler first, but for retries. */
const OLDEST_HELD = 20;
const OLDEST_IN_REVIEW = 100;
const HELD: readonly Listing[] = HELD_STATUSES;

const jobsOf = ({ account_id, printer_id }: PrinterDocument) => ({ account_id, printer_id });

/** A job of another account counts as unknown. */
@Injectable()
export class JobQueries {
  constructor(
    private readonly views: ViewStore,
    private readonly events: EventStore,
  ) {}

  async getJob(accountId: string, jobId: string): Promise<JobDocument | undefined> {
    const job = await this.getJobOfAnyAccount(jobId);
    return job?.account_id === accountId ? job : undefined;
  }

  /** In the order of `jobIds`, without unknown and archived ones and those of other accounts. */
  async getJobs(accountId: string, jobIds: readonly string[]): Promise<readonly JobDocument[]> {
    const found = await this.views.getMany(jobView, jobIds);
    return found.filter((job) => job.account_id === accountId);
  }

  /** @param events all events of a new job, which saves a look-up */
  async getSubmittedJob(
    accountId: string,
    { jobId, events }: { readonly jobId: string; readonly events?: readonly RecordedEvent[] },
  ): Promise<JobDocument | undefined> {
    if (!events) return this.getJob(accountId, jobId);
    const apply = (job: JobDocument | undefined, event: RecordedEvent) =>
      jobViewProjection.apply(job, event as Recorded<JobEvent>, jobId);
    return events.reduce(apply, undefined);
  }

  async getJobOfComputer(computerId: string, jobId: string): Promise<JobDocument | undefined> {
    const job = await this.getJobOfAnyAccount(jobId);
    return job?.computer_id === computerId ? job : undefined;
  }

  /** Also an archived job, which no list shows. */
  async getJobOfAnyAccount(jobId: string): Promise<JobDocument | undefined> {
    return (await this.views.get(jobView, jobId)) ?? archivedJob(this.events, jobId);
  }

  async listJobs(accountId: string, filter: JobFilter, page: ListRange): Promise<ListPage<JobDocument>> {
    const { externalId, ...others } = filter;
    if (externalId !== undefined && (others.status !== undefined || others.printerId !== undefined)) {
      return this.listByExternalId(accountId, externalId, others, page);
    }
    return this.views.page(jobView, whereOf(accountId, filter), page);
  }

  listJobsOfAnyAccount(
    { accountId, status }: OperatorJobFilter,
    page: ListRange,
  ): Promise<ListPage<JobDocument>> {
    const where: Where = {
      ...(accountId !== undefined && { account_id: accountId }),
      ...(status !== undefined && { listed_as: listingsOf(status) }),
    };
    return this.views.page(jobView, where, page);
  }

  /** Newest first, after a creation position; `positions` become the next cursor. */
  async listPartnerJobs(
    accountId: string,
    filter: PartnerJobFilter,
    page: Keyset,
  ): Promise<Found<JobDocument>> {
    const where: Where = {
      account_id: accountId,
      ...(filter.printerId !== undefined && { printer_id: filter.printerId }),
      ...(filter.listedAs !== undefined && { listed_as: filter.listedAs }),
    };
    return this.views.find(jobView, { where, order: 'newest', ...page });
  }

  /** What waits for a printer and what its Agent has, in the order in which it is leased. */
  async listQueue(accountId: string, printerId: string, page: Keyset): Promise<Found<JobDocument>> {
    const where = { account_id: accountId, printer_id: printerId, listed_as: QUEUE_LISTINGS };
    return this.views.find(jobView, { where, order: 'logged', ...page });
  }

  /** Exact. `atAgent`: accepted or in the spooler. */
  async countQueue(accountId: string, printerId: string): Promise<{ waiting: number; atAgent: number }> {
    const where = { account_id: accountId, printer_id: printerId };
    const [waiting, atAgent] = await Promise.all([
      this.views.count(jobView, { ...where, listed_as: WAITING_LISTINGS }),
      this.views.count(jobView, { ...where, listed_as: AT_THE_AGENT }),
    ]);
    return { waiting, atAgent };
  }

  /** Exact: the store keeps these totals. */
  countOfAccount(
    accountId: string,
    filter: Required<Pick<JobFilter, 'status'>> & Pick<JobFilter, 'printerId'>,
  ): Promise<number> {
    return this.views.count(jobView, whereOf(accountId, filter));
  }

  /** Exact, of every printer with jobs that are queued or at its computer; those with the latter first. */
  async unfinishedByPrinter(
    accountId: string,
  ): Promise<readonly (Unfinished & { readonly printerId: string })[]> {
    const totals = await this.views.totals(jobView, { by: JOBS_OF_PRINTERS, first: [accountId] });
    const found = new Map<string, Unfinished>();
    for (const { values, n } of totals) {
      const [, printerId, listedAs] = values as readonly [string, string, Listing];
      const { waiting, held } = found.get(printerId) ?? { waiting: 0, held: 0 };
      if (listedAs === 'queued') found.set(printerId, { waiting: waiting + n, held });
      else if (HELD.includes(listedAs)) found.set(printerId, { waiting, held: held + n });
    }
    return [...found]
      .map(([printerId, unfinished]) => ({ printerId, ...unfinished }))
      .sort((a, b) => Number(b.held > 0) - Number(a.held > 0) || b.waiting - a.waiting);
  }

  /**
   * Since when jobs wait for a printer, and which one holds it up.
   * @param unfinished where it has no jobs, none are read
   */
  async firstUnfinished(
    printer: PrinterDocument,
    { waiting, held }: Unfinished,
    now: Instant,
  ): Promise<FirstJobs> {
    const isOnline = printer.status === 'online';
    const [queued, atComputer] = await Promise.all([
      waiting > 0 ? this.firstOf(printer, ['queued'], OLDEST_WAITING) : [],
      held > 0 && isOnline ? this.firstOf(printer, HELD, OLDEST_HELD) : [],
    ]);
    const holdUp = holdUpOf(printer, [...atComputer, ...queued], now);
    const finishedAt = holdUp && isHeld(holdUp.job.status) ? await this.finishedAt(printer) : undefined;
    return {
      waitingSince: waitingSince(queued),
      holdUp: finishedAt ? holdUpOf(printer, [...atComputer, ...queued], now, finishedAt) : holdUp,
    };
  }

  /** When the newest job of the printer that was printed was finished. */
  private async finishedAt(printer: PrinterDocument): Promise<Instant | undefined> {
    const where = { ...jobsOf(printer), listed_as: ['spooler_completed'] };
    const [job] = await this.views.list(jobView, { where, order: 'newest', limit: 1 });
    return job?.updated_at;
  }

  private firstOf(printer: PrinterDocument, listed_as: readonly Listing[], limit: number) {
    const where = { ...jobsOf(printer), listed_as };
    return this.views.list(jobView, { where, order: 'oldest', limit });
  }

  /** Since when the first of the jobs in review needs a decision; of the 100 that were created first. */
  async reviewSince(accountId: string): Promise<Instant | undefined> {
    const where = whereOf(accountId, { status: 'manual_review' });
    const documents = await this.views.list(jobView, { where, order: 'oldest', limit: OLDEST_IN_REVIEW });
    return documents.flatMap(({ manual_review_at: at }) => (at ? [at] : [])).sort()[0];
  }

  /** Of jobs created since the hour of `from`. @param accountId absent: all accounts */
  async hours(from: Instant, accountId?: string): Promise<JobHours> {
    const first = accountId === undefined ? [] : [accountId];
    const by = accountId === undefined ? JOBS_BY_HOUR : JOBS_BY_HOUR_OF_ACCOUNT;
    const totals = await this.views.totals(jobView, { by, first, from: hourOf(from) });
    return jobHours(
      totals.map(({ values, n }) => {
        const [hour, listedAs, within] = values.slice(first.length) as [string, Listing, string | null];
        return { hour, listedAs, within, n };
      }),
    );
  }

  countInStatus(status: JobDocument['status']): Promise<number> {
    return this.views.count(jobView, { listed_as: listingsOf(status) });
  }

  /** Of all accounts. */
  async oldestInStatus(status: JobDocument['status']): Promise<JobDocument | undefined> {
    const query = { where: { listed_as: listingsOf(status) }, order: 'oldest', limit: 1 } as const;
    return (await this.views.list(jobView, query))[0];
  }

  /** Few jobs share an external id, so its combinations need no index of their own. */
  private async listByExternalId(
    accountId: string,
    externalId: string,
    { status, printerId }: JobFilter,
    { limit, offset }: ListRange,
  ): Promise<ListPage<JobDocument>> {
    const items: JobDocument[] = [];
    let total = 0;
    let after: CreationPosition | undefined;
    do {
      const where = whereOf(accountId, { externalId });
      const page = { where, order: 'newest', limit: SCANNED_AT_ONCE, ...(after && { after }) } as const;
      const { documents, positions } = await this.views.find(jobView, page);
      for (const job of documents) {
        if ((status ?? job.status) !== job.status || (printerId ?? job.printer_id) !== job.printer_id)
          continue;
        if (total >= offset && items.length < limit) items.push(job);
        total++;
      }
      after = positions.length === SCANNED_AT_ONCE ? positions.at(-1) : undefined;
    } while (after !== undefined);
    return { items, total };
  }
}

export const JobViewModule = viewModule(
  JobQueries,
  JobSearch,
  { provide: JobLists, useClass: ViewJobLists },
  { provide: LogTimes, useClass: JobTimes },
);
