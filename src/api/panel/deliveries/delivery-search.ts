import { Injectable } from '@nestjs/common';
import type { JobDocument } from '../../../../projections/job-view/job-view.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import type { DeliveryDocument } from '../../../../projections/webhook-deliveries/webhook-deliveries.js';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import {
  deliveryIdOf,
  type DeliveryStatus,
  publicTypeOf,
  type PublicEventType,
} from '../../../contexts/webhooks/index.js';
import { EventStore, type Keyset } from '../../../event-sourcing/index.js';
import { present } from '../../../http/validation/present.js';
import { UUID } from '../../../http/validation/rules.js';
import { categoryOf, idOf, streamOf } from '../../../kernel/ids.js';
import type { CreationPosition } from '../../../kernel/recorded-event.js';
import type { FoundPart } from '../../lists.js';
import { PanelDelivery } from './delivery.resource.js';

/** The newest events of a job are read. */
const MAX_EVENTS = 1_000;
const MAX_DELIVERIES = 1_000;
const SCANNED_AT_ONCE = 200;
/** Event types and titles are in no index of deliveries: a page looks through so many. */
const MAX_SCANNED = 2_000;

export interface DeliveryFilters {
  readonly webhook_id?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly event_type?: PublicEventType | undefined;
  /** An id, or a part of the title or external id of the job. */
  readonly q?: string | undefined;
}

type Listed = readonly [DeliveryDocument, JobDocument | undefined];

/** Deliveries of one account with the names of what they are about. */
@Injectable()
export class DeliverySearch {
  constructor(
    private readonly jobs: JobQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly webhooks: WebhookQueries,
    private readonly events: EventStore,
  ) {}

  /** Newest first. A page may be short although older ones match: `next` tells. An id is found however old. */
  async find(accountId: string, filters: DeliveryFilters, page: Keyset): Promise<FoundPart<PanelDelivery>> {
    const { webhook_id: webhookId, status, q } = filters;
    if (q !== undefined && UUID.test(q)) return this.withId(accountId, filters, q.toLowerCase());
    const scans = q !== undefined || filters.event_type !== undefined;
    const limit = scans ? SCANNED_AT_ONCE : page.limit + 1;
    const matching: Listed[] = [];
    const positions: CreationPosition[] = [];
    const part = async (next?: CreationPosition) => {
      const documents = await this.shown(accountId, matching);
      return { documents, ...(next !== undefined && { next }) };
    };
    let { after } = page;
    for (let scanned = 0; scanned < MAX_SCANNED; scanned += limit) {
      const range = { limit, ...(after !== undefined && { after }) };
      const found = await this.deliveries.findDeliveries(accountId, { webhookId, status }, range);
      for (const [n, listed] of (await this.withJobs(accountId, found.documents)).entries()) {
        if (!matches(listed, filters)) continue;
        if (matching.length === page.limit) return part(positions.at(-1));
        matching.push(listed);
        positions.push(found.positions[n]!);
      }
      if (found.documents.length < limit) return part();
      after = found.positions.at(-1);
    }
    return part(after);
  }

  /** Newest first. The ids are computed from webhooks and events, so that deliveries need no index by job. */
  async ofJob(accountId: string, job: JobDocument): Promise<readonly PanelDelivery[]> {
    const found = await this.documentsOf(accountId, job);
    return this.shown(
      accountId,
      found.map((delivery) => [delivery, job]),
    );
  }

  async show(accountId: string, delivery: DeliveryDocument): Promise<PanelDelivery> {
    const [shown] = await this.shown(accountId, await this.withJobs(accountId, [delivery]));
    return shown!;
  }

  /** All deliveries of the job, event or delivery with this id, on one page. */
  private async withId(accountId: string, filters: DeliveryFilters, id: string) {
    const [job, webhooks] = await Promise.all([
      this.jobs.getJob(accountId, id),
      this.webhooks.listWebhooks(accountId),
    ]);
    const ids = [id, ...webhooks.map(({ webhook_id }) => deliveryIdOf(webhook_id, id))];
    const found = job
      ? await this.documentsOf(accountId, job)
      : await this.deliveries.getDeliveries(accountId, ids);
    const listed = await this.withJobs(accountId, found);
    const matching = listed.filter((each) => matches(each, { ...filters, q: undefined }));
    return { documents: await this.shown(accountId, matching) };
  }

  private async documentsOf(accountId: string, job: JobDocument): Promise<readonly DeliveryDocument[]> {
    const from = Math.max(0, job.sequence + 1 - MAX_EVENTS);
    const [events, webhooks] = await Promise.all([
      this.events.load(streamOf('job', job.job_id), { from }),
      this.webhooks.listWebhooks(accountId),
    ]);
    const newestFirst = events.filter((event) => publicTypeOf(event) !== undefined).reverse();
    const ids = newestFirst.flatMap(({ id }) => webhooks.map((it) => deliveryIdOf(it.webhook_id, id)));
    return this.deliveries.getDeliveries(accountId, ids.slice(0, MAX_DELIVERIES));
  }

  private async withJobs(
    accountId: string,
    deliveries: readonly DeliveryDocument[],
  ): Promise<readonly Listed[]> {
    const ids = [...new Set(deliveries.flatMap((delivery) => jobIdOf(delivery) ?? []))];
    const jobs = await this.jobs.getJobs(accountId, ids);
    const byId = new Map(jobs.map((job) => [job.job_id, job]));
    return deliveries.map((delivery) => [delivery, byId.get(jobIdOf(delivery) ?? '')]);
  }

  private async shown(accountId: string, listed: readonly Listed[]): Promise<readonly PanelDelivery[]> {
    const webhooks = await this.webhooks.listWebhooks(accountId);
    const names = new Map(
      webhooks.map(({ webhook_id, description, url }) => [webhook_id, description ?? url]),
    );
    return listed.map(([delivery, job]) =>
      present(PanelDelivery, delivery, {
        webhook_name: names.get(delivery.webhook_id) ?? null,
        job_id: jobIdOf(delivery) ?? null,
        job_title: job?.title ?? null,
      }),
    );
  }
}

const jobIdOf = ({ source_stream: stream }: DeliveryDocument) =>
  categoryOf(stream) === 'job' ? idOf(stream) : undefined;

function matches([delivery, job]: Listed, { webhook_id, status, event_type, q }: DeliveryFilters): boolean {
  const wanted = { webhook_id, status, event_type };
  const differs = (Object.keys(wanted) as (keyof typeof wanted)[]).some(
    (name) => wanted[name] !== undefined && delivery[name] !== wanted[name],
  );
  if (differs || q === undefined) return !differs;
  const text = q.toLowerCase();
  return [job?.title, job?.external_id].some((field) => field?.toLowerCase().includes(text) ?? false);
}
