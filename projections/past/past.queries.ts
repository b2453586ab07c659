import { Injectable } from '@nestjs/common';
import type { JobEvent, JobStatus } from '../../src/contexts/jobs/domain/job.events.js';
import { documentAt, documentsAt, EventStore, ViewStore } from '../../src/event-sourcing/index.js';
import { streamOf } from '../../src/kernel/ids.js';
import type { AnyProjection } from '../../src/kernel/projection.js';
import type { CreationPosition, Recorded, RecordedEvent } from '../../src/kernel/recorded-event.js';
import { Clock, type Instant, type Milliseconds } from '../../src/kernel/time.js';
import type { AccountDocument } from '../accounts/accounts.js';
import { accountsProjection } from '../accounts/accounts.projection.js';
import type { ComputerDocument } from '../computers/computers.js';
import { computersProjection } from '../computers/computers.projection.js';
import { ComputerQueries } from '../computers/computers.queries.js';
import { historyOf } from '../job-history/job-history.fold.js';
import type { JobHistory } from '../job-history/job-history.js';
import { jobAfter } from '../job-view/archived-job.js';
import { jobView, type JobDocument } from '../job-view/job-view.js';
import type { PrinterDocument } from '../printers/printers.js';
import { printersProjection } from '../printers/printers.projection.js';
import { viewModule } from '../view-module.js';

export interface PastAccount {
  readonly account: AccountDocument;
  readonly computers: readonly PastComputer[];
  /** How many jobs had each status; without those that had none. */
  readonly jobs: Readonly<Partial<Record<JobStatus, number>>>;
  /** False if a bound ended the search: then computers or jobs are missing. */
  readonly isComplete: boolean;
}

interface PastComputer {
  readonly computer: ComputerDocument;
  readonly printers: readonly PrinterDocument[];
}

/** Bounds of one account. */
const MAX_COMPUTERS = 1_000;
const MAX_PRINTERS = 5_000;
const MAX_JOBS = 100_000;
const MAX_MS: Milliseconds = 5_000;
/** The embedded store reads synchronously: between passes other requests have their turn. */
const AT_ONCE = 50;

/** Documents as they were at a moment, folded from the events up to then. Nothing is stored for it. */
@Injectable()
export class PastQueries {
  constructor(
    private readonly events: EventStore,
    private readonly views: ViewStore,
    private readonly computers: ComputerQueries,
    private readonly clock: Clock,
  ) {}

  /** Undefined before the job existed. @throws CorruptEventError, UnavailableError */
  async job(jobId: string, at: Instant): Promise<{ job: JobDocument; history: JobHistory } | undefined> {
    const events = await this.until(streamOf('job', jobId), at);
    const job = jobAfter(events, jobId);
    return job && { job, history: historyOf(events as unknown as Recorded<JobEvent>[]) };
  }

  async account(accountId: string, at: Instant): Promise<AccountDocument | undefined> {
    return documentOf(accountsProjection, await this.until(streamOf('account', accountId), at), accountId);
  }

  async computer(computerId: string, at: Instant): Promise<ComputerDocument | undefined> {
    return documentOf(
      computersProjection,
      await this.until(streamOf('computer', computerId), at),
      computerId,
    );
  }

  /** Undefined before the account existed. */
  async state(accountId: string, at: Instant): Promise<PastAccount | undefined> {
    const account = await this.account(accountId, at);
    if (!account) return undefined;
    const start = this.clock.monotonic();
    const isLate = () => this.clock.monotonic() - start > MAX_MS;
    const { items, total } = await this.computers.listComputers(
      accountId,
      {},
      { limit: MAX_COMPUTERS, offset: 0 },
    );
    const computers: PastComputer[] = [];
    let examined = 0;
    for (let printers = 0; examined < items.length && printers < MAX_PRINTERS && !isLate(); examined++) {
      const past = await this.withPrinters(items[examined]!.computer_id, at);
      if (past) computers.push(past);
      printers += past?.printers.length ?? 0;
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { jobs, isCounted } = await this.countJobs(accountId, at, isLate);
    return { account, computers, jobs, isComplete: isCounted && examined === total };
  }

  private async withPrinters(computerId: string, at: Instant): Promise<PastComputer | undefined> {
    const events = await this.until(streamOf('computer', computerId), at);
    const computer = documentOf<ComputerDocument>(computersProjection, events, computerId);
    if (!computer) return undefined;
    const printers = documentsAt(printersProjection, events).map(
      ({ document }) => document as PrinterDocument,
    );
    return { computer, printers: printers.filter(({ status }) => status !== 'removed') };
  }

  /** A job that has not changed since is not folded. Archived jobs are not counted. */
  private async countJobs(accountId: string, at: Instant, isLate: () => boolean) {
    const jobs: Partial<Record<JobStatus, number>> = {};
    const query = { where: { account_id: accountId }, order: 'oldest', limit: AT_ONCE } as const;
    let after: CreationPosition | undefined;
    for (let examined = 0; examined < MAX_JOBS && !isLate(); examined += AT_ONCE) {
      const { documents, positions } = await this.views.find<JobDocument>(jobView, {
        ...query,
        ...(after && { after }),
      });
      const then = await Promise.all(documents.map((job) => this.statusAt(job, at)));
      for (const status of then) if (status) jobs[status] = (jobs[status] ?? 0) + 1;
      const isBeyond = documents.some(({ created_at }) => created_at > at);
      after = positions.at(-1);
      if (isBeyond || documents.length < AT_ONCE) return { jobs, isCounted: true };
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { jobs, isCounted: false };
  }

  private async statusAt(job: JobDocument, at: Instant): Promise<JobStatus | undefined> {
    if (job.created_at > at) return undefined;
    return job.updated_at <= at ? job.status : (await this.job(job.job_id, at))?.job.status;
  }

  /** An event has the time of its command, and is stored some milliseconds later. */
  private async until(stream: string, at: Instant): Promise<readonly RecordedEvent[]> {
    const all = await this.events.load(stream);
    const later = all.findIndex(({ metadata }) => metadata.at > at);
    return later < 0 ? all : all.slice(0, later);
  }
}

function documentOf<D>(
  projection: AnyProjection,
  events: readonly RecordedEvent[],
  id: string,
): D | undefined {
  return documentAt(projection, events, id)?.document as D | undefined;
}

export const PastModule = viewModule(PastQueries);
