import { Injectable } from '@nestjs/common';
import type { CreationPosition } from '../../src/kernel/recorded-event.js';
import type { Instant } from '../../src/kernel/time.js';
import { beforeTime, ViewStore, type Found, type Keyset } from '../../src/event-sourcing/index.js';
import {
  jobView,
  listingsOf,
  searchKey,
  UNFINISHED,
  whereOf,
  type JobDocument,
  type JobFilter,
} from './job-view.js';

export interface JobSearchFilter extends Pick<JobFilter, 'printerId'> {
  readonly status?: JobDocument['status'] | 'unfinished';
  /** Begins the title, whatever its case, the external id or the job id. */
  readonly text?: string;
  readonly from?: Instant;
  readonly to?: Instant;
}

/** A page may be short although older jobs match: `next` tells. */
export interface FoundJobs extends Found<JobDocument> {
  /** `after` of the next page; absent on the last. */
  readonly next?: CreationPosition;
}

/** About 75 ms of work. Beyond this, a text is so frequent that a look through all jobs meets it soon. */
const MAX_SORTED = 120_000;
/** Where a status or printer narrows, so that each part of a page sorts anew, and of job ids, whose rows must be read. */
const MAX_SORTED_SLOWLY = 10_000;
/** Jobs that one page looks through, about 50 ms of work. */
const MAX_EXAMINED = 5_000;
const EXAMINED_AT_ONCE = 500;
const EXAMINED_OF_ALL = 2_000;
/** The first characters of a job id are a time, which thousands of jobs share: six are four and a half hours. */
export const ID_PREFIX = /^[0-9a-f]{6,8}$|^[0-9a-f]{8}-/i;

/** Finds jobs by the beginning of a text and by dates, newest first (docs/decisions/102-finding-jobs.md). */
@Injectable()
export class JobSearch {
  constructor(private readonly views: ViewStore) {}

  async find(accountId: string, filter: JobSearchFilter, { limit, after }: Keyset): Promise<FoundJobs> {
    const { text, from = '', to } = filter;
    const isWanted = wantedOf(accountId, filter);
    const step = text === undefined ? limit + 1 : EXAMINED_AT_ONCE;
    const max = maxSorted(filter);
    const documents: JobDocument[] = [];
    const positions: CreationPosition[] = [];
    let mayBeRare = text;
    let at = after ?? (to === undefined ? undefined : beforeTime(to));
    for (let examined = 0; examined < MAX_EXAMINED; examined += step) {
      const start = { limit: step, ...(at !== undefined && { after: at }) };
      const rare = mayBeRare && (await this.beginningWith([accountId], mayBeRare, { ...start, max }));
      if (!rare) mayBeRare = undefined;
      const page = rare || (await this.list(accountId, filter, start));
      for (const [n, job] of page.documents.entries()) {
        if (job.created_at < from) return { documents, positions };
        if (!isWanted(job)) continue;
        if (documents.length === limit) return { documents, positions, next: positions.at(-1)! };
        documents.push(job);
        positions.push(page.positions[n]!);
      }
      if (page.documents.length < step) return { documents, positions };
      at = page.positions.at(-1)!;
      await new Promise((resolve) => setImmediate(resolve)); // The embedded store reads at once, and other requests wait.
    }
    return { documents, positions, next: at! };
  }

  /** The newest of these accounts; a text that is too frequent is looked for among the newest jobs only. */
  async findOfAccounts(
    accountIds: readonly string[],
    text: string,
    limit: number,
  ): Promise<readonly JobDocument[]> {
    const found = await this.beginningWith(accountIds, text, { limit, max: MAX_SORTED });
    if (found) return found.documents;
    const newest = { where: {}, order: 'newest', limit: EXAMINED_OF_ALL } as const;
    const documents = await this.views.list(jobView, newest);
    return documents.filter(beginningOf(text)).slice(0, limit);
  }

  private list(accountId: string, filter: JobSearchFilter, start: Keyset): Promise<Found<JobDocument>> {
    const { status, printerId } = filter;
    const listedAs = status && { listed_as: statusesOf(status).flatMap(listingsOf) };
    const where = { ...whereOf(accountId, { printerId }), ...listedAs };
    return this.views.find(jobView, { where, order: 'newest', ...start });
  }

  /** Undefined if the text is too frequent to be sorted. */
  private async beginningWith(
    accountIds: readonly string[],
    text: string,
    of: Keyset & { readonly max: number },
  ): Promise<Found<JobDocument> | undefined> {
    const where = { account_id: accountIds };
    const ids = { where: {}, max: MAX_SORTED_SLOWLY };
    const found = await Promise.all([
      this.views.findPrefix(jobView, { ...of, where, by: 'title_key', prefix: searchKey(text) }),
      this.views.findPrefix(jobView, { ...of, where, by: 'external_id', prefix: text }),
      ...(ID_PREFIX.test(text)
        ? [this.views.findPrefix(jobView, { ...of, ...ids, prefix: text.toLowerCase() })]
        : []),
    ]);
    return found.every((one) => one !== undefined) ? newestOf(found, of.limit) : undefined;
  }
}

const maxSorted = ({ status, printerId }: JobSearchFilter) =>
  status === undefined && printerId === undefined ? MAX_SORTED : MAX_SORTED_SLOWLY;

const statusesOf = (status: NonNullable<JobSearchFilter['status']>) =>
  status === 'unfinished' ? UNFINISHED : [status];

function wantedOf(accountId: string, { text, status, printerId, from, to }: JobSearchFilter) {
  const statuses = status && statusesOf(status);
  const begins = text === undefined ? () => true : beginningOf(text);
  return (job: JobDocument): boolean =>
    job.account_id === accountId &&
    (statuses === undefined || statuses.includes(job.status)) &&
    (printerId === undefined || job.printer_id === printerId) &&
    (from === undefined || job.created_at >= from) &&
    (to === undefined || job.created_at < to) &&
    begins(job);
}

function beginningOf(text: string) {
  const key = searchKey(text);
  const id = ID_PREFIX.test(text) ? text.toLowerCase() : undefined;
  return ({ title_key, external_id, job_id }: JobDocument): boolean =>
    title_key?.startsWith(key) ||
    external_id?.startsWith(text) ||
    (id !== undefined && job_id.startsWith(id));
}

/** A job may be in several lists. */
function newestOf(lists: readonly Found<JobDocument>[], limit: number): Found<JobDocument> {
  const byPosition = new Map(
    lists.flatMap(({ documents, positions }) => documents.map((job, n) => [positions[n]!, job] as const)),
  );
  const newest = [...byPosition].sort(([a], [b]) => (a < b ? 1 : -1)).slice(0, limit);
  return { documents: newest.map(([, job]) => job), positions: newest.map(([position]) => position) };
}
