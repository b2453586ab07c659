import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import {
  type AttemptOutcome,
  deliveryIdOf,
  ManualAttempts,
  RequestWebhookTest,
} from '../../../contexts/webhooks/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Randomness } from '../../../kernel/ids.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { DeliverySearch } from '../../delivery-search.js';
import { orRefuse, refusalOf } from '../../errors/answers.js';
import { CursorLists } from '../../lists.js';
import { Webhook } from '../../resources/webhook.resource.js';
import type { AccountCaller, AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';
import {
  DeliveryAnswer,
  DeliveryIdBody,
  deliveryResource,
  ListWebhookDeliveriesBody,
  WebhookDelivery,
  WebhookIdBody,
} from './webhook.messages.js';

const Operation = operationsOf(integration, {
  tag: 'Webhooks',
  scopes: ['webhooks:write'],
  limit: { perMinute: 30 },
});

/** Lists deliveries; sends while the client waits, so that the answer shows the outcome. */
@Controller()
export class WebhookDeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly attempts: ManualAttempts,
    private readonly deliveries: DeliveryQueries,
    private readonly search: DeliverySearch,
    private readonly lists: CursorLists,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'testWebhook',
    route: 'POST /v1/svc-test-webhook',
    summary: 'Send a test event',
    description:
      'Whatever event types the webhook wants. Answers after the first attempt; a failed one is repeated.',
    body: WebhookIdBody,
    requestExample: { webhook_id: Webhook.example.webhook_id },
    success: ok('The delivery, after its first attempt.', DeliveryAnswer, { code: 'SVC_WEBHOOK_TESTED' }),
    errors: ['SVC_WEBHOOK_NOT_FOUND', 'SVC_WEBHOOK_PAUSED'],
  })
  async test(@Body() { webhook_id: webhookId }: WebhookIdBody, @Caller() { accountId, by }: AccountCaller) {
    const testId = this.randomness.uuid();
    const command = new RequestWebhookTest({ accountId, webhookId, testId, at: this.clock.now(), by });
    const requested = orRefuse('integration', await this.commands.execute(command));
    const [event] = requested.events as readonly [RecordedEvent];
    mustBeMade(await this.attempts.test(webhookId, event, by));
    const delivery = await this.delivery(accountId, deliveryIdOf(webhookId, event.id));
    return { delivery };
  }

  @Operation({
    id: 'retryWebhookDelivery',
    route: 'POST /v1/svc-retry-webhook',
    summary: 'Retry a webhook delivery',
    description:
      'From `retry_scheduled` it is the next attempt of the schedule; from `dead_letter` it is one more.',
    body: DeliveryIdBody,
    requestExample: { delivery_id: WebhookDelivery.example.delivery_id },
    success: ok('The delivery, after the attempt.', DeliveryAnswer, { code: 'SVC_DELIVERY_RETRIED' }),
    errors: [
      'SVC_WEBHOOK_NOT_FOUND',
      'SVC_DELIVERY_NOT_FOUND',
      'SVC_WEBHOOK_PAUSED',
      'SVC_DELIVERY_STATE_CONFLICT',
    ],
  })
  async retry(
    @Body() { delivery_id: deliveryId }: DeliveryIdBody,
    @Caller() { accountId, by }: AccountCaller,
  ) {
    await this.delivery(accountId, deliveryId);
    mustBeMade(await this.attempts.retry(deliveryId, by));
    return { delivery: await this.delivery(accountId, deliveryId) };
  }

  @Operation({
    id: 'listWebhookDeliveries',
    route: 'POST /v1/svc-list-webhook-deliveries',
    summary: 'List webhook deliveries',
    description:
      'Newest first, of all webhooks, also deleted ones. All deliveries of an `event_id` or `job_id` are on one page. ' +
      'With `event_type` or `failure_code` a page looks through 2,000 deliveries, so it may have fewer than `limit`, ' +
      'even none, although `has_more` is true.',
    scopes: ['webhooks:read'],
    limit: { perMinute: 120 },
    body: ListWebhookDeliveriesBody,
    requestExample: { status: 'dead_letter', limit: 50 },
    success: ok('A page of deliveries.', WebhookDelivery, { list: 'cursor' }),
  })
  async list(@Body() body: ListWebhookDeliveriesBody, @Caller() caller: AccountPrincipal) {
    const { accountId } = caller;
    const list = this.lists.open('webhook-deliveries', caller, accountId, body);
    const { documents, ...page } = await list.follow((keyset) => this.search.find(accountId, body, keyset));
    return { items: documents.map(deliveryResource), ...page };
  }

  private async delivery(accountId: string, deliveryId: string) {
    const document = orNotFound(
      await this.deliveries.getDelivery(accountId, deliveryId),
      'SVC_DELIVERY_NOT_FOUND',
    );
    return deliveryResource(document);
  }
}

function mustBeMade(outcome: AttemptOutcome): void {
  if (!outcome.ok) throw refusalOf('integration', outcome.rejection);
}
