import type { Instant } from '../../kernel/time.js';
import type { ContentType, JobStatus } from './domain/job.events.js';

/** The order is stable between two pages. */
export interface ListPage {
  readonly limit: number;
  readonly offset: number;
}

export interface ListedJob {
  readonly jobId: string;
  readonly createdAt: Instant;
  /** Set while a restored job waits for a manual decision. */
  readonly restoredAt?: Instant;
}

/** Sent to the agent before it fetches the document. */
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
  readonly next?: string;
}

export interface HeldLease {
  readonly jobId: string;
  readonly leaseId: string;
  readonly printerId: string;
}

export interface JobOfLease {
  readonly jobId: string;
  readonly status: JobStatus;
}

/** The lists may lag behind the events, so each listed job is decided on its own stream. */
export abstract class JobLists {
  abstract queuedOfPrinter(
    printerId: string,
    page: { readonly limit: number; readonly after?: string },
  ): Promise<QueuePage>;
  abstract leasesOfComputer(computerId: string): Promise<readonly HeldLease[]>;
  abstract jobOfLease(computerId: string, leaseId: string): Promise<JobOfLease | undefined>;
  abstract retryingOfComputer(computerId: string, page: ListPage): Promise<readonly ListedJob[]>;
  abstract cancellableOfAccount(accountId: string, page: ListPage): Promise<readonly ListedJob[]>;
  /** Leasable without a manual decision, of one printer or of all accounts. */
  abstract leasable(
    page: ListPage,
    of?: { readonly accountId: string; readonly printerId: string },
  ): Promise<readonly ListedJob[]>;
  abstract inReview(page: ListPage): Promise<readonly ListedJob[]>;
  /** @param month `YYYY-MM` in UTC */
  abstract countCreatedInMonth(accountId: string, month: string): Promise<number>;
  /** Those whose content is still needed. An unlisted job may need its content too. */
  abstract withContent(jobIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** The mapping never changes; all other facts about a printer come from the computer's stream. */
export abstract class PrinterDirectory {
  abstract computerOf(printerId: string): Promise<string | undefined>;
}

export abstract class ComputerLists {
  /** Oldest first. */
  abstract unrevokedOfAccount(
    accountId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly string[]>;
}
