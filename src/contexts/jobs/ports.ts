import type { Instant } from '../../kernel/time.js';
import type { ContentType, JobStatus } from './domain/job.events.js';

/** One page of a list whose order does not change between two pages. */
export interface ListPage {
  readonly limit: number;
  readonly offset: number;
}

export interface ListedJob {
  readonly jobId: string;
  readonly createdAt: Instant;
  /** When a restore parked it, while it waits for a person's decision. */
  readonly restoredAt?: Instant;
}

/** What an agent needs to know of a job before it fetches the document. */
export interface QueuedJob {
  readonly jobId: string;
  readonly printerId: string;
  readonly title?: string;
  readonly contentType: ContentType;
  readonly contentHash: string;
  readonly contentSizeBytes: number;
  readonly copies: number;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
}

export interface QueuePage {
  /** Oldest first. */
  readonly jobs: readonly QueuedJob[];
  /** Where the next page starts; undefined after the last one. */
  readonly next?: string;
}

export interface HeldLease {
  readonly jobId: string;
  readonly leaseId: string;
}

/** A job named by its newest lease. */
export interface JobOfLease {
  readonly jobId: string;
  readonly status: JobStatus;
}

/**
 * Which jobs there are for a reason. A list may lag behind the events, so it only says where to look: what happens to a
 * job is decided on its stream.
 */
export abstract class JobLists {
  abstract queuedOfPrinter(
    printerId: string,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<QueuePage>;
  /** Leased or accepted and not yet handed off: what counts against the computer's number of leases. */
  abstract leasesOfComputer(computerId: string): Promise<readonly HeldLease[]>;
  /** The job whose newest lease this is, whatever became of it. */
  abstract jobOfLease(computerId: string, leaseId: string): Promise<JobOfLease | undefined>;
  /** Failed, with an automatic retry to come. */
  abstract retryingOfComputer(computerId: string, page: ListPage): Promise<readonly ListedJob[]>;
  abstract cancellableOfAccount(accountId: string, page: ListPage): Promise<readonly ListedJob[]>;
  /** Jobs that may be handed out without a person's decision: of one printer, or of all accounts. */
  abstract leasable(
    page: ListPage,
    of?: { readonly accountId: string; readonly printerId: string },
  ): Promise<readonly ListedJob[]>;
  /** Of all accounts. */
  abstract inReview(page: ListPage): Promise<readonly ListedJob[]>;
  /** @param month `YYYY-MM` in UTC */
  abstract countCreatedInMonth(accountId: string, month: string): Promise<number>;
  /** Those of `jobIds` whose content is still needed. A job that is not listed yet may need its content as well. */
  abstract withContent(jobIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Which computer has a printer; that never changes. All else about a printer is asked of the computer's stream. */
export abstract class PrinterDirectory {
  abstract computerOf(printerId: string): Promise<string | undefined>;
}
