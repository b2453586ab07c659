import { Controller, Inject, Injectable, Param, Query } from '@nestjs/common';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import type { DeliveryDocument } from '../../../../projections/webhook-deliveries/webhook-deliveries.js';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import {
  DELIVERY_STATUSES,
  type DeliveryEvent,
  type DeliveryStatus,
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
  unsignedHeaders,
  WebhookPayloads,
} from '../../../contexts/webhooks/index.js';
import { EventStore } from '../../../event-sourcing/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { PRODUCT_VERSION } from '../../../http/surface.js';
import { Field, optional, present } from '../../../http/validation/field.js';
import { dateTime, integer, oneOf, text, uuid } from '../../../http/validation/rules.js';
import { streamOf } from '../../../kernel/ids.js';
import type { Recorded } from '../../../kernel/recorded-event.js';
import { epochMs, type Instant } from '../../../kernel/time.js';
import { DeliverySearch, jobIdOf } from '../../delivery-search.js';
import { CursorLists, CursorQuery } from '../../lists.js';
import { ActorNames } from '../actor-names.js';
import { panel } from '../panel.surface.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import {
  attemptsOf,
  PanelDeliveries,
  PanelDelivery,
  PanelDeliveryDetail,
  type PanelDeliveryRequest,
} from './delivery.resource.js';

/** Shows deliveries with the names of their webhooks and jobs. */
@Injectable()
export class DeliveryNames {
  constructor(
    private readonly search: DeliverySearch,
    private readonly webhooks: WebhookQueries,
  ) {}

  async show(accountId: string, deliveries: readonly DeliveryDocument[]): Promise<readonly PanelDelivery[]> {
    const [webhooks, jobs] = await Promise.all([
      this.webhooks.listWebhooks(accountId),
      this.search.jobsOf(accountId, deliveries),
    ]);
    const names = new Map(
      webhooks.map(({ webhook_id, description, url }) => [webhook_id, description ?? url]),
    );
    return deliveries.map((delivery) => {
      const jobId = jobIdOf(delivery);
      return present(PanelDelivery, delivery, {
        webhook_name: names.get(delivery.webhook_id) ?? null,
        job_id: jobId ?? null,
        job_title: jobs.get(jobId)?.title ?? null,
      });
    });
  }
}

export class ListDeliveriesQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 50 }) limit: number = 50;
  @Field(uuid(), optional) webhook_id?: string;
  @Field(oneOf(...DELIVERY_STATUSES), optional) status?: DeliveryStatus;
  @Field(oneOf(...PUBLIC_EVENT_TYPES), optional) event_type?: PublicEventType;
  @Field(dateTime(), { optional: true, description: 'Created at this time or later' }) since?: Instant;
  @Field(dateTime(), { optional: true, description: 'Created at this time or earlier' }) until?: Instant;
  @Field(text({ max: 160 }), {
    optional: true,
    description: 'The id of a delivery, event or job, or a part of the title or external id of the job',
  })
  q?: string;
}

const Operation = operationsOf(panel, {
  tag: 'Webhooks',
  scopes: ['webhooks:read'],
  limit: { perMinute: 60 },
});

@Controller()
export class PanelDeliveriesController {
  constructor(
    private readonly jobs: JobQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly webhooks: WebhookQueries,
    private readonly search: DeliverySearch,
    private readonly lists: CursorLists,
    private readonly payloads: WebhookPayloads,
    private readonly shown: DeliveryNames,
    private readonly names: ActorNames,
    private readonly events: EventStore,
    @Inject(PRODUCT_VERSION) private readonly productVersion: string,
  ) {}

  @Operation({
    id: 'listDeliveries',
    route: 'GET /v1/panel/deliveries',
    summary: 'List webhook deliveries',
    description:
      'Newest first. With `event_type` or `q` a page looks through 2,000 deliveries, so it may have fewer than ' +
      '`limit`, even none, although `has_more` is true. All deliveries of an id in `q` are on one page.',
    query: ListDeliveriesQuery,
    success: ok('A page of deliveries.', PanelDelivery, { list: 'cursor' }),
  })
  async list(@Query() query: ListDeliveriesQuery, @Caller() caller: MemberPrincipal) {
    const { accountId } = caller;
    const list = this.lists.open('deliveries', caller, accountId, query);
    const { documents, ...page } = await list.follow((keyset) => this.search.find(accountId, query, keyset));
    return { items: await this.shown.show(accountId, documents), ...page };
  }

  @Operation({
    id: 'getJobDeliveries',
    route: 'GET /v1/panel/jobs/:job_id/deliveries',
    summary: 'List the webhook deliveries of a job',
    description: 'Of all webhooks that the account has now.',
    success: ok('The deliveries.', PanelDeliveries),
  })
  async ofJob(@Param('job_id') jobId: string, @Caller() { accountId }: MemberPrincipal) {
    const job = orNotFound(await this.jobs.getJob(accountId, jobId), 'JOB_NOT_FOUND');
    return { items: await this.shown.show(accountId, await this.search.ofJob(accountId, job)) };
  }

  @Operation({
    id: 'getDelivery',
    route: 'GET /v1/panel/deliveries/:delivery_id',
    summary: 'Get a webhook delivery with its attempts',
    success: ok('The delivery.', PanelDeliveryDetail),
  })
  async get(@Param('delivery_id') deliveryId: string, @Caller() { accountId }: MemberPrincipal) {
    const delivery = orNotFound(
      await this.deliveries.getDelivery(accountId, deliveryId),
      'DELIVERY_NOT_FOUND',
    );
    const events = await this.events.load(streamOf('delivery', deliveryId));
    const attempts = attemptsOf(events as readonly Recorded<DeliveryEvent>[]);
    const actorOf = await this.names.of(
      accountId,
      attempts.map(({ actor }) => actor),
    );
    const shown = attempts.map((attempt) => ({ ...attempt, actor: actorOf(attempt.actor) }));
    const request = (await this.requestOf(delivery)) ?? null;
    const [named] = await this.shown.show(accountId, [delivery]);
    return { ...named, request, attempts: shown };
  }

  /** As it would be sent now; undefined if the webhook was deleted. */
  private async requestOf(delivery: DeliveryDocument): Promise<PanelDeliveryRequest | undefined> {
    const webhook = await this.webhooks.getWebhook(delivery.account_id, delivery.webhook_id);
    const place = { stream: delivery.source_stream, revision: delivery.source_revision };
    const event = webhook && (await this.payloads.publicEventAt(place));
    if (!event) return undefined;
    const headers = unsignedHeaders({
      eventId: delivery.event_id,
      eventType: delivery.event_type,
      deliveryId: delivery.delivery_id,
      timestamp: Math.floor(epochMs(delivery.last_attempt_at ?? delivery.created_at) / 1000),
      productVersion: this.productVersion,
      secretVersion: webhook.secret_version,
    });
    return { url: webhook.url, headers, body: event.body.toString('utf8') };
  }
}
