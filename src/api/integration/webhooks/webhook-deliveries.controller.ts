import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import {
  deliveryIdOf,
  ManualAttempts,
  RequestWebhookTest,
  type AttemptOutcome,
} from '../../../contexts/webhooks/index.js';
import type { Origin, RecordedEvent } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { Randomness } from '../../../kernel/ids.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import { DeliveryIdBody, WebhookIdBody } from '../integration.requests.js';
import { deliveryResource } from './webhook.answers.js';
import { retryWebhookDelivery, testWebhook } from './webhooks.operations.js';
import { refusalOf } from '../../errors/answers.js';

/** Sends while the client waits, so that the answer shows the outcome. */
@Controller()
export class WebhookDeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly attempts: ManualAttempts,
    private readonly deliveries: DeliveryQueries,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  @Operation(testWebhook)
  async test(
    @Body() { webhook_id: webhookId }: WebhookIdBody,
    @Caller() { accountId }: AccountPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const testId = this.randomness.uuid();
    const command = new RequestWebhookTest({ accountId, webhookId, testId, at: this.clock.now(), by });
    const requested = await this.commands.execute(command);
    if (!requested.ok) throw refusalOf('integration', requested.rejection);
    const [event] = requested.events as readonly [RecordedEvent];
    mustBeMade(await this.attempts.test(webhookId, event, by));
    const delivery = await this.delivery(accountId, deliveryIdOf(webhookId, event.id));
    return answer('SVC_WEBHOOK_TESTED', { delivery });
  }

  @Operation(retryWebhookDelivery)
  async retry(
    @Body() { delivery_id: deliveryId }: DeliveryIdBody,
    @Caller() { accountId }: AccountPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    await this.delivery(accountId, deliveryId);
    mustBeMade(await this.attempts.retry(deliveryId, by));
    return answer('SVC_DELIVERY_RETRIED', { delivery: await this.delivery(accountId, deliveryId) });
  }

  private async delivery(accountId: string, deliveryId: string) {
    const document = await this.deliveries.getDelivery(accountId, deliveryId);
    if (!document) throw new ApiError('SVC_DELIVERY_NOT_FOUND');
    return deliveryResource(document);
  }
}

function mustBeMade(outcome: AttemptOutcome): void {
  if (!outcome.ok) throw refusalOf('integration', outcome.rejection);
}
