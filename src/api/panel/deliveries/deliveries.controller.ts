import { Controller, Inject, Param } from '@nestjs/common';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import type { DeliveryDocument } from '../../../../projections/webhook-deliveries/webhook-deliveries.js';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import {
  type DeliveryEvent,
  deliveryIdOf,
  publicTypeOf,
  unsignedHeaders,
  WebhookPayloads,
} from '../../../contexts/webhooks/index.js';
import { EventStore } from '../../../event-sourcing/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { PRODUCT_VERSION } from '../../../http/surface.js';
import { present } from '../../../http/validation/present.js';
import { streamOf } from '../../../kernel/ids.js';
import type { Recorded } from '../../../kernel/recorded-event.js';
import { epochMs } from '../../../kernel/time.js';
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

/** The newest events of a job are read. */
const MAX_EVENTS = 1_000;
const MAX_DELIVERIES = 1_000;

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
    private readonly payloads: WebhookPayloads,
    private readonly names: ActorNames,
    private readonly events: EventStore,
    @Inject(PRODUCT_VERSION) private readonly productVersion: string,
  ) {}

  /** The ids are computed from webhooks and events, so that deliveries need no index by job. */
  @Operation({
    id: 'getJobDeliveries',
    route: 'GET /v1/panel/jobs/:job_id/deliveries',
    summary: 'List the webhook deliveries of a job',
    description: 'Of all webhooks that the account has now.',
    success: ok('The deliveries.', PanelDeliveries),
  })
  async ofJob(@Param('job_id') jobId: string, @Caller() { accountId }: MemberPrincipal) {
    const job = orNotFound(await this.jobs.getJob(accountId, jobId), 'JOB_NOT_FOUND');
    const from = Math.max(0, job.sequence + 1 - MAX_EVENTS);
    const [events, webhooks] = await Promise.all([
      this.events.load(streamOf('job', jobId), { from }),
      this.webhooks.listWebhooks(accountId),
    ]);
    const newestFirst = events.filter((event) => publicTypeOf(event) !== undefined).reverse();
    const ids = newestFirst.flatMap(({ id }) => webhooks.map((it) => deliveryIdOf(it.webhook_id, id)));
    const found = await this.deliveries.getDeliveries(accountId, ids.slice(0, MAX_DELIVERIES));
    return { items: found.map((delivery) => present(PanelDelivery, delivery, {})) };
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
    const named = await this.names.of(
      accountId,
      attempts.map(({ actor }) => actor),
    );
    const shown = attempts.map((attempt) => ({ ...attempt, actor: named(attempt.actor) }));
    const request = (await this.requestOf(delivery)) ?? null;
    return { ...present(PanelDelivery, delivery, {}), request, attempts: shown };
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
