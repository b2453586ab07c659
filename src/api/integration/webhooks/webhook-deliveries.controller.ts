import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { DeliveryQueries } from '../../../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookQueries } from '../../../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import {
  type AttemptOutcome,
  deliveryIdOf,
  ManualAttempts,
  MissedEvents,
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
  RequestWebhookTest,
  StartWebhookRecovery,
} from '../../../contexts/webhooks/index.js';
import { answer } from '../../../http/answer.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field } from '../../../http/validation/field.js';
import {
  boolean,
  count,
  dateTime,
  listOf,
  momentOf,
  oneOf,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import { Randomness } from '../../../kernel/ids.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import { Clock, instant, type Instant } from '../../../kernel/time.js';
import { ChangeCursors } from '../../change-cursors.js';
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

const eventTypes = listOf(oneOf(...PUBLIC_EVENT_TYPES), { min: 1, max: 100 });

const SINCE = 'must be an RFC 3339 date-time with a time zone, or a cursor of listChanges';

export class RecoverWebhookBody {
  @Field(uuid()) webhook_id!: string;
  @Field(text({ max: 500, message: SINCE }), {
    description:
      'Time of the first event: an RFC 3339 date-time, or a cursor of listChanges for the time of its event',
  })
  since!: string;
  @Field(dateTime(), { optional: true, description: 'Time of the last event; default: now' }) until?: Instant;
  @Field(eventTypes, { optional: true, description: 'Some of those of the webhook; default: all of them' })
  event_types?: PublicEventType[];
  @Field(boolean(), { optional: true, default: false, description: 'Counts only' }) dry_run: boolean = false;
  @Field(boolean(), { optional: true, default: false, description: 'Sends delivered events again' })
  include_delivered: boolean = false;
}

export class RecoveryAnswer {
  @Field(uuid(), { optional: true, description: 'Absent with dry_run' }) recovery_id?: string;
  @Field(count, {
    optional: true,
    description: 'Missed events; absent if they could not be counted in ten seconds',
  })
  events?: number;

  static readonly example: RecoveryAnswer = {
    recovery_id: '019aa000-0000-7000-8000-0000000000e6',
    events: 1_204,
  };
}

const Operation = operationsOf(integration, {
  tag: 'Webhooks',
  scopes: ['webhooks:write'],
  limit: { perMinute: 30 },
});

/** Lists deliveries, makes missed ones, and sends while the client waits, so that the answer shows the outcome. */
@Controller()
export class WebhookDeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly attempts: ManualAttempts,
    private readonly webhooks: WebhookQueries,
    private readonly deliveries: DeliveryQueries,
    private readonly missed: MissedEvents,
    private readonly cursors: ChangeCursors,
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

  @Operation({
    id: 'recoverWebhook',
    route: 'POST /v1/svc-recover-webhook',
    summary: 'Deliver what a webhook missed',
    description:
      'Makes sure that every event of the interval is delivered: those without a delivery get one, and deliveries in ' +
      '`retry_scheduled`, `dead_letter` or `cancelled` are tried again. Runs in the background under the event ids of ' +
      'before; listWebhooks shows its progress. With `dry_run` nothing changes and the answer is the exact number.',
    body: RecoverWebhookBody,
    requestExample: {
      webhook_id: Webhook.example.webhook_id,
      since: '2026-11-21T12:00:00.000Z',
      dry_run: true,
    },
    success: [
      ok('The recovery runs.', RecoveryAnswer, { status: 202, code: 'SVC_RECOVERY_STARTED' }),
      ok('With `dry_run`: the number of missed events.', RecoveryAnswer, {
        code: 'SVC_RECOVERY_COUNTED',
        example: { events: 1_204 },
      }),
    ],
    errors: [
      'SVC_WEBHOOK_NOT_FOUND',
      'SVC_WEBHOOK_PAUSED',
      'SVC_RECOVERY_RUNNING',
      'SVC_RECOVERY_TOO_LARGE',
      'SVC_HISTORY_CHANGED',
    ],
  })
  async recover(@Body() body: RecoverWebhookBody, @Caller() { accountId, by }: AccountCaller) {
    const { webhook_id: webhookId, dry_run: isDryRun } = body;
    const webhook = orNotFound(await this.webhooks.getWebhook(accountId, webhookId), 'SVC_WEBHOOK_NOT_FOUND');
    const since = await this.instantOf(accountId, body.since);
    const interval = this.intervalOf(body, since, webhook.event_types);
    const counted = await this.missed.count({ accountId, webhookId, ...interval });
    if (isDryRun) return answer({ events: orRefuse('integration', counted).events }, { status: 200 });
    if (!counted.ok && counted.rejection.code === 'RecoveryRunning')
      throw refusalOf('integration', counted.rejection);
    const events = counted.ok ? counted.events : undefined;
    const recoveryId = this.randomness.uuid();
    const start = { accountId, webhookId, recoveryId, interval, events, at: this.clock.now(), by };
    orRefuse('integration', await this.commands.execute(new StartWebhookRecovery(start)));
    return { recovery_id: recoveryId, events };
  }

  private async delivery(accountId: string, deliveryId: string) {
    const document = orNotFound(
      await this.deliveries.getDelivery(accountId, deliveryId),
      'SVC_DELIVERY_NOT_FOUND',
    );
    return deliveryResource(document);
  }

  /** A cursor counts as the time of its event. @throws ApiError 400 for another text, 409 for a lost event */
  private async instantOf(accountId: string, since: string): Promise<Instant> {
    const moment = momentOf(since);
    if (moment !== undefined) return instant(moment);
    const owner = { owner: accountId, surface: 'integration' } as const;
    return (await this.cursors.open(owner, since, `since ${SINCE}.`)).at;
  }

  /** @throws ApiError for an interval that ends before it begins, or for types that the webhook does not want */
  private intervalOf(body: RecoverWebhookBody, since: Instant, own: readonly PublicEventType[]) {
    const { until = this.clock.now(), event_types: wanted } = body;
    if (since > until)
      throw new ApiError('SVC_VALIDATION_FAILED', 'since must not be later than until or now.');
    const types = own.filter((type) => type !== 'webhook.test');
    const eventTypes = wanted ? types.filter((type) => wanted.includes(type)) : types;
    if (wanted && eventTypes.length === 0) {
      const message = 'event_types must have one of the webhook other than webhook.test.';
      throw new ApiError('SVC_VALIDATION_FAILED', message);
    }
    return { since, until, eventTypes, includeDelivered: body.include_delivered };
  }
}

function mustBeMade(outcome: AttemptOutcome): void {
  if (!outcome.ok) throw refusalOf('integration', outcome.rejection);
}
