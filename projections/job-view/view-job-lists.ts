import { Injectable } from '@nestjs/common';
import { CANCELLABLE_STATUSES, isAtRest } from '../../src/contexts/jobs/domain/job.rules.js';
import type {
  EndedPage,
  JobLists,
  ListedJob,
  ListPage,
  QueuedJob,
  QueuePage,
} from '../../src/contexts/jobs/ports.js';
import { jobView, WAITING_LISTINGS, type JobDocument, type Listing } from './job-view.js';
import { ViewStore, type Where, beforeTime, eventPositionIn } from '../../src/event-sourcing/index.js';
import { LogTimes } from '../../src/contexts/webhooks/ports.js';
import type { Position } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';

/** A computer holds a few leases; after many lapses the view may briefly show more. */
const MAX_LEASES = 1000;

/** HELD_STATUSES as filter values, so that the same index is used. */
const BEFORE_THE_SPOOLER = [
  'leased',
  'accepted_by_agent',
] as const satisfies readonly JobDocument['status'][];

const LEASABLE = [
  'created',
  'queued',
  'leased',
  'accepted_by_agent',
  'retrying',
] as const satisfies readonly Listing[];

@Injectable()
export class ViewJobLists implements JobLists {
  constructor(private readonly views: ViewStore) {}

  async queuedOfPrinter(
    printerId: string,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<QueuePage> {
    return this.queue({ printer_id: printerId, listed_as: 'queued' }, page);
  }

  waitingOfPrinter(
    accountId: string,
    printerId: string,
    page: { readonly limit: number; readonly after?: string },
  ) {
    return this.queue({ account_id: accountId, printer_id: printerId, listed_as: WAITING_LISTINGS }, page);
  }

  async leasesOfComputer(computerId: string) {
    const where = { computer_id: computerId, listed_as: BEFORE_THE_SPOOLER };
    const documents = await this.find(where, { limit: MAX_LEASES, offset: 0 });
    return documents
      .filter((job) => job.handoff_at === undefined)
      .map((job) => ({ jobId: job.job_id, leaseId: job.lease_id!, printerId: job.printer_id }));
  }

  async jobOfLease(computerId: string, leaseId: string) {
    const [job] = await this.find({ lease_id: leaseId }, { limit: 1, offset: 0 }, 'newest');
    return job?.computer_id === computerId ? { jobId: job.job_id, status: job.status } : undefined;
  }

  retryingOfComputer(computerId: string, page: ListPage) {
    return this.list({ computer_id: computerId, listed_as: 'retrying' }, page);
  }

  cancellableOfAccount(accountId: string, page: ListPage) {
    return this.list({ account_id: accountId, listed_as: CANCELLABLE_STATUSES }, page);
  }

  leasable(page: ListPage, of?: { readonly accountId: string; readonly printerId: string }) {
    const printer = of && { account_id: of.accountId, printer_id: of.printerId };
    return this.list({ ...printer, listed_as: LEASABLE }, page);
  }

  inReview(page: ListPage) {
    return this.list({ listed_as: 'manual_review' }, page);
  }

  /** Archived jobs are gone, so few precede the first that cannot be archived yet. */
  async endedBefore(
    at: Instant,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<EndedPage> {
    const { documents, positions } = await this.views.find(jobView, { where: {}, order: 'oldest', ...page });
    const ended = documents.filter((job) => isEnded(job) && job.updated_at < at);
    const isLast = positions.length < page.limit || documents.at(-1)!.created_at >= at;
    return { jobIds: ended.map((job) => job.job_id), ...(!isLast && { next: positions.at(-1)! }) };
  }

  countCreatedInMonth(accountId: string, month: string): Promise<number> {
    return this.views.count(jobView, { account_id: accountId, created_month: month });
  }

  async withContent(jobIds: readonly string[]): Promise<ReadonlySet<string>> {
    const jobs = await this.views.getMany(jobView, jobIds);
    return new Set(jobs.filter((job) => job.content_available).map((job) => job.job_id));
  }

  private async queue(
    where: Where,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<QueuePage> {
    const { documents, positions } = await this.views.find(jobView, {
      where,
      order: 'logged',
      ...page,
    });
    const next = positions.length < page.limit ? undefined : positions.at(-1);
    return { jobs: documents.map(queuedJob), next };
  }

  private async list(where: Where, page: ListPage): Promise<readonly ListedJob[]> {
    return (await this.find(where, page)).map(listedJob);
  }

  private async find(where: Where, page: ListPage, order: 'oldest' | 'newest' = 'oldest') {
    return await this.views.list(jobView, { where, order, ...page });
  }
}

function isEnded({ status, content_available: contentAvailable }: JobDocument): boolean {
  return isAtRest({ status, contentAvailable });
}

function listedJob({ job_id: jobId, created_at: createdAt, ...job }: JobDocument): ListedJob {
  return { jobId, createdAt, restoredAt: job.failure_code === 'RESTORED' ? job.manual_review_at : undefined };
}

function queuedJob(job: JobDocument): QueuedJob {
  return {
    jobId: job.job_id,
    printerId: job.printer_id,
    title: job.title,
    contentType: job.content_type,
    contentHash: job.content_hash,
    contentSizeBytes: job.content_size_bytes,
    copies: job.copies,
    options: job.options,
    createdAt: job.created_at,
    expiresAt: job.expires_at,
    ...(job.traceparent !== undefined && { traceparent: job.traceparent }),
  };
}

/** A job may be stored long after its time: by a clock that is behind, or last in a batch. */
const JOBS = 100;

/** The newest jobs before a time tell the position, because the log has no index by time. */
@Injectable()
export class JobTimes extends LogTimes {
  constructor(private readonly views: ViewStore) {
    super();
  }

  async positionBefore(at: Instant): Promise<Position | undefined> {
    const newest = { where: {}, order: 'newest', limit: JOBS, after: beforeTime(at) } as const;
    const { documents, positions } = await this.views.find(jobView, newest);
    // The views of an earlier release are in the order of the log until they are built anew.
    const before = positions.filter((_, n) => documents[n]!.created_at < at).map(eventPositionIn);
    return before.sort()[0];
  }
}
