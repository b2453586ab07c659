import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import type { WebhookDocument } from '../../../../projections/webhook-endpoints/webhook-endpoints.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import {
  CLOCKS_MS,
  CreateWebhook,
  DeleteWebhook,
  mintWebhookSecret,
  PUBLIC_EVENT_TYPES,
  SecretBox,
  standardWebhooksSecret,
  UpdateWebhook,
  type WebhookChanges,
  WebhookClient,
} from '../../../contexts/webhooks/index.js';
import { EventStore, LivenessStore } from '../../../event-sourcing/index.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { created, ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Randomness } from '../../../kernel/ids.js';
import { Clock, plus } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { EVENT_CATALOGUE } from '../../resources/event-catalogue.js';
import { Webhook, webhookResource, webhookResources } from '../../resources/webhook.resource.js';
import type { AccountCaller, AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';
import {
  CreateWebhookBody,
  deliveryResource,
  ListWebhooksBody,
  UpdatedWebhookAnswer,
  UpdateWebhookBody,
  WebhookAnswer,
  WebhookIdBody,
  WebhookList,
  WebhookSecretAnswer,
} from './webhook.messages.js';

const SECRET_BYTES = 32;

const { example: webhook } = Webhook;

const Operation = operationsOf(integration, { tag: 'Webhooks', scopes: ['webhooks:write'] });

@Controller()
export class WebhooksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly webhooks: WebhookQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly liveness: LivenessStore,
    private readonly events: EventStore,
    private readonly client: WebhookClient,
    private readonly box: SecretBox,
    private readonly randomness: Randomness,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'listWebhooks',
    route: 'POST /v1/svc-list-webhooks',
    summary: 'List webhooks',
    description:
      'All active and paused webhooks and all event types; the fields of the body filter the deliveries alone.',
    scopes: ['webhooks:read'],
    limit: { perMinute: 120 },
    body: ListWebhooksBody,
    requestExample: { limit: 50 },
    success: ok('Webhooks, deliveries and event types.', WebhookList),
  })
  async list(@Body() body: ListWebhooksBody, @Caller() { accountId }: AccountPrincipal) {
    const { webhook_id: webhookId, status, limit } = body;
    const webhooks = await this.webhooks.listWebhooks(accountId);
    const deliveries = await this.deliveries.listDeliveries(accountId, { webhookId, status }, limit);
    return {
      webhooks: await webhookResources(webhooks, this.liveness),
      deliveries: deliveries.map(deliveryResource),
      event_types: EVENT_CATALOGUE,
    };
  }

  @Operation({
    id: 'createWebhook',
    route: 'POST /v1/svc-create-webhook',
    summary: 'Create a webhook',
    description: 'The signing secret is shown in this answer and never again.',
    limit: { perMinute: 30 },
    body: CreateWebhookBody,
    requestExample: {
      url: webhook.url,
      event_types: webhook.event_types,
      description: webhook.description,
    },
    success: created('The webhook is active.', WebhookSecretAnswer, { code: 'SVC_WEBHOOK_CREATED' }),
    errors: ['SVC_WEBHOOK_LIMIT_REACHED', 'SVC_WEBHOOK_DUPLICATE'],
  })
  async create(@Body() body: CreateWebhookBody, @Caller() { accountId, by }: AccountCaller) {
    const { url, event_types: eventTypes = [...PUBLIC_EVENT_TYPES], description, ordered } = body;
    const settings = { ...(await this.admitted(url)), eventTypes, description, ordered };
    const webhookId = this.randomness.uuid();
    const { shown, sealed } = this.newSecret(accountId, webhookId);
    const at = this.clock.now();
    await this.execute(new CreateWebhook({ accountId, webhookId, settings, secret: sealed, at, by }));
    return { webhook: await this.resource(accountId, webhookId), ...shown };
  }

  @Operation({
    id: 'updateWebhook',
    route: 'POST /v1/svc-update-webhook',
    summary: 'Update a webhook',
    description:
      'Changes, pauses or resumes the webhook, or rotates its secret. At least one field beside `webhook_id`; all of ' +
      'it happens, or nothing. With `rotate_secret` the new secret ' +
      'signs at once and is shown in this answer and never again; the one before signs too for 24 hours.',
    limit: { perMinute: 60 },
    body: UpdateWebhookBody,
    requestExample: {
      webhook_id: webhook.webhook_id,
      event_types: webhook.event_types,
      rotate_secret: true,
    },
    success: ok('The webhook as it is now.', UpdatedWebhookAnswer, { code: 'SVC_WEBHOOK_UPDATED' }),
    errors: ['SVC_WEBHOOK_NOT_FOUND', 'SVC_WEBHOOK_DUPLICATE', 'SVC_RECOVERY_RUNNING'],
  })
  async update(
    @Body() { webhook_id: webhookId, rotate_secret: rotates, ...wanted }: UpdateWebhookBody,
    @Caller() { accountId, by }: AccountCaller,
  ) {
    const { url, event_types: eventTypes, description, status, ordered } = wanted;
    if ([url, eventTypes, description, status, ordered, rotates].every((field) => field === undefined)) {
      const fields = 'url, event_types, description, status, ordered or rotate_secret';
      throw new ApiError('SVC_VALIDATION_FAILED', `${fields} must be given.`);
    }
    const recovery = wanted.recover ? await this.recoveryOf(accountId, webhookId, status) : undefined;
    const target = url === undefined ? {} : await this.admitted(url);
    const renewed = rotates ? this.newSecret(accountId, webhookId) : undefined;
    const settings = { ...target, eventTypes, description, ordered };
    const changes: WebhookChanges = { ...settings, status, secret: renewed?.sealed, recovery };
    await this.execute(new UpdateWebhook({ accountId, webhookId, changes, at: this.clock.now(), by }));
    const webhook = await this.resource(accountId, webhookId);
    return { webhook, ...renewed?.shown };
  }

  @Operation({
    id: 'deleteWebhook',
    route: 'POST /v1/svc-delete-webhook',
    summary: 'Delete a webhook',
    description: 'Cancels its pending deliveries.',
    limit: { perMinute: 60 },
    body: WebhookIdBody,
    requestExample: { webhook_id: webhook.webhook_id },
    success: ok('The webhook is deleted.', WebhookAnswer, {
      code: 'SVC_WEBHOOK_DELETED',
      example: { webhook: { ...webhook, status: 'deleted' } },
    }),
    errors: ['SVC_WEBHOOK_NOT_FOUND'],
  })
  async delete(@Body() { webhook_id: webhookId }: WebhookIdBody, @Caller() { accountId, by }: AccountCaller) {
    const document = await this.document(accountId, webhookId);
    const at = this.clock.now();
    await this.execute(new DeleteWebhook({ accountId, webhookId, at, by }));
    const webhook = webhookResource({ ...document, updated_at: at }, {}, 'deleted');
    return { webhook };
  }

  /** From the pause until now; the clocks of instances may differ. @throws ApiError without status active */
  private async recoveryOf(accountId: string, webhookId: string, status: string | undefined) {
    if (status !== 'active') throw new ApiError('SVC_VALIDATION_FAILED', 'recover requires status active.');
    await this.events.waitUntilProjected();
    const { paused_at: pausedAt } = await this.document(accountId, webhookId);
    const [since, until] = [
      plus(pausedAt ?? this.clock.now(), -CLOCKS_MS),
      plus(this.clock.now(), CLOCKS_MS),
    ];
    return { recoveryId: this.randomness.uuid(), since, until };
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
    orRefuse('integration', await this.commands.execute(command));
  }

  private async document(accountId: string, webhookId: string): Promise<WebhookDocument> {
    return orNotFound(await this.webhooks.getWebhook(accountId, webhookId), 'SVC_WEBHOOK_NOT_FOUND');
  }

  private async resource(accountId: string, webhookId: string) {
    const [resource] = await webhookResources([await this.document(accountId, webhookId)], this.liveness);
    return resource;
  }
}
