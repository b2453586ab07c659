import type { Instant } from '../../kernel/time.js';
import type { Traceparent } from '../../kernel/tracing.js';
import type { ContentType, JobStatus } from './domain/job.events.js';
import type { PrintOptions } from './domain/print-options.js';

/** A page of a list whose order is stable between two pages. */
export interface ListPage {
  readonly limit: number;
  readonly offset: number;
}

export interface ListedJob {
  readonly jobId: string;
  readonly createdAt: Instant;
  /** When a restore parked it; only while it waits for a manual decision. */
  readonly restoredAt?: Instant;
}

/** What an agent needs to know about a job before it fetches the document. */
export interface QueuedJob {
  readonly jobId: string;
  readonly printerId: string;
  readonly title?: string;
  readonly contentType: ContentType;
  readonly contentHash: string;
  readonly contentSizeBytes: number;
  readonly copies: number;
  readonly options?: PrintOptions;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly traceparent?: Traceparent;
}

export interface QueuePage {
  /** In the order of the log, which no clock changes. */
  readonly jobs: readonly QueuedJob[];
  /** Start of the next page; undefined after the last one. */
  readonly next?: string;
}

export interface EndedPage {
  /** Ids of those jobs on the page that ended. */
  readonly jobIds: readonly string[];
  /** Start of the next page; undefined if no older job follows. */
  readonly next?: string;
}

export interface HeldLease {
  readonly jobId: string;
  readonly leaseId: string;
  readonly printerId: string;
}

/** A job identified by its newest lease. */
export interface JobOfLease {
  readonly jobId: string;
  readonly status: JobStatus;
}

/** Work lists of jobs. A list may lag behind the events, so each job on it is decided on its own stream. */
export abstract class JobLists {
  abstract queuedOfPrinter(
    printerId: string,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<QueuePage>;
  /** Queued, leased or with a scheduled retry, of the account only. */
  abstract waitingOfPrinter(
    accountId: string,
    printerId: string,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<QueuePage>;
  /** Leased or accepted and not yet handed off: these count against the computer's limit. */
  abstract leasesOfComputer(computerId: string): Promise<readonly HeldLease[]>;
  /** The job with this newest lease, whatever its status. */
  abstract jobOfLease(computerId: string, leaseId: string): Promise<JobOfLease | undefined>;
  /** Failed jobs with a scheduled retry. */
  abstract retryingOfComputer(computerId: string, page: ListPage): Promise<readonly ListedJob[]>;
  abstract cancellableOfAccount(accountId: string, page: ListPage): Promise<readonly ListedJob[]>;
  /** Jobs that may be leased without a manual decision: of one printer, or of all accounts. */
  abstract leasable(
    page: ListPage,
    of?: { readonly accountId: string; readonly printerId: string },
  ): Promise<readonly ListedJob[]>;
  /** Of all accounts. */
  abstract inReview(page: ListPage): Promise<readonly ListedJob[]>;
  /** At rest and unchanged since before this time, in the order of creation. */
  abstract endedBefore(
    at: Instant,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<EndedPage>;
  /** @param month `YYYY-MM` in UTC */
  abstract countCreatedInMonth(accountId: string, month: string): Promise<number>;
  /** Those of `jobIds` whose content is still needed. A job that is not listed yet may need its content too. */
  abstract withContent(jobIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * Maps printers to their computers, which never changes. All other facts about a printer come from the
 * computer's stream.
 */
export abstract class PrinterDirectory {
  abstract computerOf(printerId: string): Promise<string | undefined>;
}

/** Work list of computers. It may lag behind the events. */
export abstract class ComputerLists {
  /** Ids of the account's computers that are not revoked, oldest first. */
  abstract unrevokedOfAccount(
    accountId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly string[]>;
}
