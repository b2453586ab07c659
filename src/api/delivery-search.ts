import { Injectable } from '@nestjs/common';
import type { JobDocument } from '../../projections/job-view/job-view.js';
import { JobQueries } from '../../projections/job-view/job-view.queries.js';
import type { DeliveryDocument } from '../../projections/webhook-deliveries/webhook-deliveries.js';
import { DeliveryQueries } from '../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import {
  type DeliveryFailureCode,
  createdWebhooks,
  deliveryIdOf,
  type DeliveryStatus,
  publicTypeOf,
  type PublicEventType,
} from '../contexts/webhooks/index.js';
import { beforeTime, EventStore, type Found, type Keyset } from '../event-sourcing/index.js';
import { UUID } from '../http/validation/rules.js';
import { categoryOf, idOf, streamOf } from '../kernel/ids.js';
import type { CreationPosition } from '../kernel/recorded-event.js';
import { plus, type Instant } from '../kernel/time.js';

/** The newest events of a job are read. */
const MAX_EVENTS = 1_000;
const MAX_DELIVERIES = 1_000;
const SCANNED_AT_ONCE = 200;
/** Other fields than webhook and status are in no index of deliveries: a page looks through so many. */
const MAX_SCANNED = 2_000;

/** Deliveries match all that are given. */
export interface DeliveryFilters {
  readonly webhook_id?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly event_type?: PublicEventType | undefined;
  readonly event_id?: string | undefined;
  readonly job_id?: string | undefined;
  readonly failure_code?: DeliveryFailureCode | undefined;
  readonly since?: Instant | undefined;
  readonly until?: Instant | undefined;
  /** An id of a delivery, event or job, or a part of the title or external id of the job. */
  readonly q?: string | undefined;
}

interface FoundDeliveries extends Found<DeliveryDocument> {
  /** Start of the next page; absent on the last. */
  readonly next?: CreationPosition;
}

/** The ledger of deliveries of one account, for all surfaces. */
@Injectable()
export class DeliverySearch {
  constructor(
    private readonly jobs: JobQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly events: EventStore,
  ) {}

  /** Newest first. A page may be short although older ones match: `next` tells. All of one id are on one page. */
  find(accountId: string, filters: DeliveryFilters, page: Keyset): Promise<FoundDeliveries> {
    const { event_id, job_id, q } = filters;
    const id = event_id ?? job_id ?? (q !== undefined && UUID.test(q) ? q : undefined);
    return id === undefined
      ? this.scan(accountId, filters, page)
      : this.withId(accountId, filters, id.toLowerCase());
  }

  private async scan(accountId: string, filters: DeliveryFilters, page: Keyset): Promise<FoundDeliveries> {
    const { webhook_id: webhookId, status, since = '', until, event_type, failure_code, q } = filters;
    const scans = [event_type, failure_code, q].some((filter) => filter !== undefined);
    const limit = scans ? SCANNED_AT_ONCE : page.limit + 1;
    const indexed = { webhookId, status };
    const documents: DeliveryDocument[] = [];
    const positions: CreationPosition[] = [];
    let after = page.after ?? (until && beforeTime(plus(until, 1)));
    for (let read = 0; read < MAX_SCANNED; read += limit) {
      const range = { limit, ...(after !== undefined && { after }) };
      const found = await this.deliveries.findDeliveries(accountId, indexed, range);
      const jobs = q === undefined ? NO_JOBS : await this.jobsOf(accountId, found.documents);
      for (const [n, delivery] of found.documents.entries()) {
        if (delivery.created_at < since) return { documents, positions };
        if (!matches(delivery, filters, jobs)) continue;
        if (documents.length === page.limit) return { documents, positions, next: positions.at(-1)! };
        documents.push(delivery);
        positions.push(found.positions[n]!);
      }
      if (found.documents.length < limit) return { documents, positions };
      after = found.positions.at(-1);
    }
    return { documents, positions, ...(after !== undefined && { next: after }) };
  }

  /** Newest first. The ids are computed from webhooks and events, so that deliveries need no index by job. */
  async ofJob(accountId: string, job: JobDocument): Promise<readonly DeliveryDocument[]> {
    const from = Math.max(0, job.sequence + 1 - MAX_EVENTS);
    const [events, webhooks] = await Promise.all([
      this.events.load(streamOf('job', job.job_id), { from }),
      createdWebhooks(this.events, accountId),
    ]);
    const newestFirst = events.filter((event) => publicTypeOf(event) !== undefined).reverse();
    const ids = newestFirst.flatMap(({ id }) => webhooks.map((webhookId) => deliveryIdOf(webhookId, id)));
    return this.deliveries.getDeliveries(accountId, ids.slice(0, MAX_DELIVERIES));
  }

  async jobsOf(accountId: string, deliveries: readonly DeliveryDocument[]): Promise<JobsById> {
    const ids = [...new Set(deliveries.flatMap((delivery) => jobIdOf(delivery) ?? []))];
    const jobs = await this.jobs.getJobs(accountId, ids);
    return new Map(jobs.map((job) => [job.job_id, job]));
  }

  /** All deliveries of the job, event or delivery with this id, on one page. */
  private async withId(accountId: string, { q: _, ...filters }: DeliveryFilters, id: string) {
    const [job, webhooks] = await Promise.all([
      this.jobs.getJob(accountId, id),
      createdWebhooks(this.events, accountId),
    ]);
    const ids = [id, ...webhooks.map((webhookId) => deliveryIdOf(webhookId, id))];
    const found = job
      ? await this.ofJob(accountId, job)
      : await this.deliveries.getDeliveries(accountId, ids);
    return {
      documents: found.filter((delivery) => matches(delivery, filters, NO_JOBS)),
      positions: [],
    };
  }
}

type JobsById = ReadonlyMap<string | undefined, JobDocument>;

const NO_JOBS: JobsById = new Map();
const EQUAL = ['webhook_id', 'status', 'event_type', 'event_id', 'failure_code'] as const;

/** @param jobs those of the deliveries, for a text */
function matches(delivery: DeliveryDocument, filters: DeliveryFilters, jobs: JobsById): boolean {
  const { since = '', until, job_id, q } = filters;
  const { created_at } = delivery;
  const jobId = jobIdOf(delivery);
  if (EQUAL.some((name) => filters[name] !== undefined && delivery[name] !== filters[name])) return false;
  if (created_at < since || (until !== undefined && created_at > until)) return false;
  if (job_id !== undefined && jobId !== job_id) return false;
  if (q === undefined) return true;
  const text = q.toLowerCase();
  const job = jobs.get(jobId);
  return [job?.title, job?.external_id].some((field) => field?.toLowerCase().includes(text) ?? false);
}

/** Undefined for events of computers, printers and webhooks. */
export const jobIdOf = ({ source_stream: stream }: DeliveryDocument) =>
  categoryOf(stream) === 'job' ? idOf(stream) : undefined;
