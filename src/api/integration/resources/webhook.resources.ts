import { DELIVERY_STATUSES } from '../../../../projections/webhook-deliveries/webhook-deliveries.js';
import { EVENT_CATALOGUE } from '../../../../projections/webhook-events/catalogue.js';
import { webhookExample } from '../../../../projections/webhook-events/resource-examples.js';
import {
  FAILURE_CODES,
  PUBLIC_EVENT_TYPES,
  standardWebhooksSecret,
} from '../../../contexts/webhooks/index.js';
import { Field } from '../../../http/validation/field.js';
import {
  constant,
  dateTime,
  integer,
  listOf,
  object,
  oneOf,
  shaped,
  text,
  uuid,
} from '../../../http/validation/rules.js';

const optional = { optional: true } as const;
const anyCount = integer(0, Number.MAX_SAFE_INTEGER);
const httpStatus = integer(100, 999);
const eventType = oneOf(...PUBLIC_EVENT_TYPES);
const secret = text({ max: 255 });

/** A webhook. */
export class Webhook {
  @Field(constant('svc_webhook_v1')) contract!: string;
  @Field(uuid()) webhook_id!: string;
  @Field(text({ max: 2048 })) url!: string;
  @Field(text({ min: 0, max: 160 }), optional) description?: string;
  @Field(listOf(eventType, { min: 1, max: PUBLIC_EVENT_TYPES.length, unique: true })) event_types!: string[];
  @Field(oneOf('active', 'paused', 'deleted')) status!: string;
  @Field(integer(1, Number.MAX_SAFE_INTEGER)) secret_version!: number;
  @Field(dateTime()) created_at!: string;
  @Field(dateTime()) updated_at!: string;
  @Field(oneOf('requested', 'endpoint_gone'), optional) paused_reason?: string;
  @Field(dateTime(), optional) last_success_at?: string;
  @Field(dateTime(), optional) last_failure_at?: string;
}

/** One request of a delivery that has ended. */
export class WebhookAttempt {
  @Field(dateTime()) attempted_at!: string;
  @Field(httpStatus, optional) response_status?: number;
  @Field(oneOf(...FAILURE_CODES), optional) failure_code?: string;
  @Field(anyCount) duration_ms!: number;
}

/** One event on its way to one webhook. */
export class WebhookDelivery {
  @Field(constant('svc_webhook_delivery_v1')) contract!: string;
  @Field(uuid()) delivery_id!: string;
  @Field(uuid()) webhook_id!: string;
  @Field(uuid(), { description: 'What receivers de-duplicate by' }) event_id!: string;
  @Field(eventType) event_type!: string;
  @Field(oneOf(...DELIVERY_STATUSES)) status!: string;
  @Field(anyCount, { description: 'Interrupted ones and those by hand included' }) attempt_count!: number;
  @Field(integer(1, Number.MAX_SAFE_INTEGER)) max_attempts!: number;
  @Field(dateTime(), optional) next_attempt_at?: string;
  @Field(dateTime(), optional) last_attempt_at?: string;
  @Field(httpStatus, optional) response_status?: number;
  @Field(oneOf(...FAILURE_CODES), optional) failure_code?: string;
  @Field(anyCount, optional) duration_ms?: number;
  @Field(dateTime()) created_at!: string;
  @Field(dateTime()) updated_at!: string;
  @Field(dateTime(), optional) delivered_at?: string;
  @Field(
    listOf(
      object(() => WebhookAttempt),
      { max: 50 },
    ),
    { description: 'Ended ones, oldest first' },
  )
  attempts!: WebhookAttempt[];
}

/** One line of the catalogue of events. */
export class WebhookEventType {
  @Field(eventType) event_type!: string;
  @Field(text({ max: 500 })) description!: string;
  @Field(shaped({ type: 'object' }), { description: 'JSON Schema 2020-12 of the body' }) schema!: object;
  @Field(shaped({ type: 'object' })) example!: object;
}

export class WebhookAnswer {
  @Field(object(() => Webhook)) webhook!: Webhook;
}

/** The secrets are shown in this answer and never again. */
export class WebhookSecretAnswer extends WebhookAnswer {
  @Field(secret, { description: '`whsec_live_…`: its UTF-8 bytes are the key of X-Svc-Signature' })
  secret!: string;
  @Field(secret, { description: 'The same key as the Standard Webhooks libraries take it' })
  standard_webhooks_secret!: string;
}

/** The secrets are there only when they were rotated. */
export class UpdatedWebhookAnswer extends WebhookAnswer {
  @Field(secret, optional) secret?: string;
  @Field(secret, optional) standard_webhooks_secret?: string;
}

export class DeliveryAnswer {
  @Field(object(() => WebhookDelivery)) delivery!: WebhookDelivery;
}

export class WebhookList {
  @Field(
    listOf(
      object(() => Webhook),
      { max: 20 },
    ),
    { description: 'Active and paused ones, newest first' },
  )
  webhooks!: Webhook[];
  @Field(
    listOf(
      object(() => WebhookDelivery),
      { max: 50 },
    ),
    { description: 'Newest first' },
  )
  deliveries!: WebhookDelivery[];
  @Field(
    listOf(
      object(() => WebhookEventType),
      { max: 100 },
    ),
    { description: 'Everything a webhook can be told' },
  )
  event_types!: WebhookEventType[];
}

const at = '2026-11-21T12:00:00.000Z';
const attempt = { attempted_at: at, response_status: 204, duration_ms: 38 };

const deliveryExample = {
  contract: 'svc_webhook_delivery_v1',
  delivery_id: '019aa000-0000-5000-8000-0000000000e4',
  webhook_id: webhookExample.webhook_id,
  event_id: '019aa000-0000-7000-8000-0000000000e5',
  event_type: 'webhook.test',
  status: 'delivered',
  attempt_count: 1,
  max_attempts: 6,
  last_attempt_at: at,
  response_status: 204,
  duration_ms: 38,
  created_at: at,
  updated_at: at,
  delivered_at: at,
  attempts: [attempt],
} satisfies WebhookDelivery;

export const webhookAnswerExample = { webhook: webhookExample };
export const deliveryAnswerExample = { delivery: deliveryExample };
export const webhookListExample = {
  webhooks: [webhookExample],
  deliveries: [deliveryExample],
  event_types: EVENT_CATALOGUE.slice(0, 1),
};

/** None, as its letters and its length say. */
const noSecret = 'whsec_live_EXAMPLE';

export const secretAnswerExample = {
  webhook: webhookExample,
  secret: noSecret,
  standard_webhooks_secret: standardWebhooksSecret(noSecret),
};
