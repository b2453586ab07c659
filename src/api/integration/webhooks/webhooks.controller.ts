import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import type { WebhookDocument } from '../../../../projections/webhook-endpoints/webhook-endpoints.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import {
  CreateWebhook,
  DeleteWebhook,
  healthKeys,
  mintWebhookSecret,
  PUBLIC_EVENT_TYPES,
  SecretBox,
  standardWebhooksSecret,
  UpdateWebhook,
  type WebhookChanges,
  WebhookClient,
} from '../../../contexts/webhooks/index.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { Randomness } from '../../../kernel/ids.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import { EVENT_CATALOGUE } from '../../resources/event-catalogue.js';
import { webhookResource } from '../../resources/webhook.resource.js';
import type { AccountPrincipal } from '../api-key.authenticator.js';
import {
  CreateWebhookBody,
  ListWebhooksBody,
  UpdateWebhookBody,
  WebhookIdBody,
} from '../integration.requests.js';
import { deliveryResource } from './webhook.answers.js';
import { createWebhook, deleteWebhook, listWebhooks, updateWebhook } from './webhooks.operations.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { refusalOf } from '../../errors/answers.js';

const SECRET_BYTES = 32;

@Controller()
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly webhooks: WebhookQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly liveness: LivenessStore,
    private readonly client: WebhookClient,
    private readonly box: SecretBox,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  @Operation(listWebhooks)
  async list(@Body() body: ListWebhooksBody, @Caller() { accountId }: AccountPrincipal) {
    const { webhook_id: webhookId, status, limit } = body;
    const webhooks = await this.webhooks.listWebhooks(accountId);
    const deliveries = await this.deliveries.listDeliveries(accountId, { webhookId, status }, limit);
    return answer('SVC_OK', {
      webhooks: await this.resources(webhooks),
      deliveries: deliveries.map(deliveryResource),
      event_types: EVENT_CATALOGUE,
    });
  }

  @Operation(createWebhook)
  async create(
    @Body() { url, event_types: eventTypes = [...PUBLIC_EVENT_TYPES], description }: CreateWebhookBody,
    @Caller() { accountId }: AccountPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const settings = { ...(await this.admitted(url)), eventTypes, description };
    const webhookId = this.randomness.uuid();
    const { shown, sealed } = this.newSecret(accountId, webhookId);
    const at = this.clock.now();
    await this.execute(new CreateWebhook({ accountId, webhookId, settings, secret: sealed, at, by }));
    return answer('SVC_WEBHOOK_CREATED', { webhook: await this.resource(accountId, webhookId), ...shown });
  }

  @Operation(updateWebhook)
  async update(
    @Body() { webhook_id: webhookId, rotate_secret: rotates, ...wanted }: UpdateWebhookBody,
    @Caller() { accountId }: AccountPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const { url, event_types: eventTypes, description, status } = wanted;
    if ([url, eventTypes, description, status, rotates].every((field) => field === undefined)) {
      const fields = 'url, event_types, description, status or rotate_secret';
      throw new ApiError('SVC_VALIDATION_FAILED', `${fields} must be given.`);
    }
    const target = url === undefined ? {} : await this.admitted(url);
    const renewed = rotates ? this.newSecret(accountId, webhookId) : undefined;
    const changes: WebhookChanges = { ...target, eventTypes, description, status, secret: renewed?.sealed };
    await this.execute(new UpdateWebhook({ accountId, webhookId, changes, at: this.clock.now(), by }));
    const webhook = await this.resource(accountId, webhookId);
    return answer('SVC_WEBHOOK_UPDATED', { webhook, ...renewed?.shown });
  }

  @Operation(deleteWebhook)
  async delete(
    @Body() { webhook_id: webhookId }: WebhookIdBody,
    @Caller() { accountId }: AccountPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const document = await this.document(accountId, webhookId);
    const at = this.clock.now();
    await this.execute(new DeleteWebhook({ accountId, webhookId, at, by }));
    const webhook = webhookResource({ ...document, updated_at: at }, {}, 'deleted');
    return answer('SVC_WEBHOOK_DELETED', { webhook });
  }

  /** @throws ApiError that names the rule broken by the target */
  private async admitted(url: string): Promise<{ url: string; target: string }> {
    const verdict = await this.client.examine(url);
    if (!verdict.allowed) throw new ApiError('SVC_VALIDATION_FAILED', `url ${verdict.rule}.`);
    return { url, target: verdict.target };
  }

  /** Shown only once; stored sealed. */
  private newSecret(accountId: string, webhookId: string) {
    const secret = mintWebhookSecret(webhookId, this.randomness.bytes(SECRET_BYTES));
    return {
      shown: { secret, standard_webhooks_secret: standardWebhooksSecret(secret) },
      sealed: this.box.seal(secret, accountId, webhookId),
    };
  }

  private async execute(command: CreateWebhook | UpdateWebhook | DeleteWebhook): Promise<void> {
    const outcome = await this.commands.execute(command);
    if (!outcome.ok) throw refusalOf('integration', outcome.rejection);
  }

  private async document(accountId: string, webhookId: string): Promise<WebhookDocument> {
    const document = await this.webhooks.getWebhook(accountId, webhookId);
    if (!document) throw new ApiError('SVC_WEBHOOK_NOT_FOUND');
    return document;
  }

  private async resource(accountId: string, webhookId: string) {
    const [resource] = await this.resources([await this.document(accountId, webhookId)]);
    return resource;
  }

  private async resources(documents: readonly WebhookDocument[]) {
    const beats = await this.liveness.lastHeartbeats(documents.flatMap((it) => healthKeys(it.webhook_id)));
    return documents.map((document, i) => {
      const [lastSuccessAt, lastFailureAt] = [beats[2 * i], beats[2 * i + 1]];
      return webhookResource(document, { lastSuccessAt, lastFailureAt });
    });
  }
}
