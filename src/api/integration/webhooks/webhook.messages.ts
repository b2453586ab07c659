import type {
  AttemptDocument,
  DeliveryDocument,
} from '../../../../projections/webhook-deliveries/webhook-deliveries.js';
import {
  DELIVERY_STATUSES,
  type DeliveryFailureCode,
  type DeliveryStatus,
  FAILURE_CODES,
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
  standardWebhooksSecret,
} from '../../../contexts/webhooks/index.js';
import { Field, optional, present } from '../../../http/validation/field.js';
import {
  boolean,
  constant,
  count,
  dateTime,
  integer,
  listOf,
  object,
  objects,
  oneOf,
  shaped,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';
import { CursorQuery } from '../../lists.js';
import { type CatalogueEntry, EVENT_CATALOGUE } from '../../resources/event-catalogue.js';
import { Webhook } from '../../resources/webhook.resource.js';

/** Maximum number of deliveries in an answer of listWebhooks. */
const MAX_DELIVERIES = 50;

/** A repeated type counts once. */
const MAX_EVENT_TYPES = 100;

const url = text({ max: 2048, message: 'must be a URL of at most 2048 characters' });
const eventTypes = listOf(oneOf(...PUBLIC_EVENT_TYPES), { min: 1, max: MAX_EVENT_TYPES });
/** Empty: no description. */
const description = text({ min: 0, max: 160 });

const URL_RULE =
  'https on port 443, a public address or a name whose every address is public; the operator may allow other networks and names, on any port';

const ORDER_RULE = 'One delivery of a job or computer at a time, in the order of its events';

/** Limits of the webhook operations; docs/webhooks.md explains them. */
export class CreateWebhookBody {
  @Field(url, { description: URL_RULE, example: 'https://hooks.example.com/printing' }) url!: string;
  @Field(eventTypes, { optional: true, description: 'Default: all' }) event_types?: PublicEventType[];
  @Field(description, optional) description?: string;
  @Field(boolean(), { optional: true, default: false, description: ORDER_RULE }) ordered?: boolean;
}

/** Requires at least one field besides the id. */
export class UpdateWebhookBody {
  @Field(uuid()) webhook_id!: string;
  @Field(url, { optional: true, description: URL_RULE }) url?: string;
  @Field(eventTypes, optional) event_types?: PublicEventType[];
  @Field(description, optional) description?: string;
  @Field(oneOf('active', 'paused'), optional) status?: 'active' | 'paused';
  @Field(boolean(), {
    optional: true,
    description: 'With status active: delivers what happened while the webhook was paused',
  })
  recover?: boolean;
  @Field(boolean(), { optional: true, description: ORDER_RULE }) ordered?: boolean;
  @Field(boolean(), { optional: true, description: 'The secret before signs too for 24 hours' })
  rotate_secret?: boolean;
}

export class WebhookIdBody {
  @Field(uuid()) webhook_id!: string;
}

/** Filters deliveries only; all webhooks are listed. */
export class ListWebhooksBody {
  @Field(integer(1, MAX_DELIVERIES), { optional: true, default: MAX_DELIVERIES })
  limit: number = MAX_DELIVERIES;
  @Field(uuid(), optional) webhook_id?: string;
  @Field(oneOf(...DELIVERY_STATUSES), optional) status?: DeliveryStatus;
}

/** All that are given must match. */
export class ListWebhookDeliveriesBody extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 50 }) limit: number = 50;
  @Field(uuid(), optional) webhook_id?: string;
  @Field(oneOf(...DELIVERY_STATUSES), optional) status?: DeliveryStatus;
  @Field(oneOf(...PUBLIC_EVENT_TYPES), optional) event_type?: PublicEventType;
  @Field(uuid(), optional) event_id?: string;
  @Field(uuid(), optional) job_id?: string;
  @Field(oneOf(...FAILURE_CODES), optional) failure_code?: DeliveryFailureCode;
  @Field(dateTime(), { optional: true, description: 'Created at this time or later' }) since?: Instant;
  @Field(dateTime(), { optional: true, description: 'Created at this time or earlier' }) until?: Instant;
}

export class DeliveryIdBody {
  @Field(uuid()) delivery_id!: string;
}

const httpStatus = integer(100, 999);
const eventType = oneOf(...PUBLIC_EVENT_TYPES);
const secret = text({ max: 255 });

class WebhookAttempt implements AttemptDocument {
  @Field(dateTime()) attempted_at!: Instant;
  @Field(httpStatus, optional) response_status?: number;
  @Field(oneOf(...FAILURE_CODES), optional) failure_code?: DeliveryFailureCode;
  @Field(count) duration_ms!: number;
}

export class WebhookDelivery {
  @Field(constant('svc_webhook_delivery_v1')) contract!: 'svc_webhook_delivery_v1';
  @Field(uuid()) delivery_id!: string;
  @Field(uuid()) webhook_id!: string;
  @Field(uuid(), { description: 'What receivers de-duplicate by' }) event_id!: string;
  @Field(eventType) event_type!: PublicEventType;
  @Field(oneOf(...DELIVERY_STATUSES)) status!: DeliveryStatus;
  @Field(count, { description: 'Interrupted ones and those by hand included' }) attempt_count!: number;
  @Field(integer(1, Number.MAX_SAFE_INTEGER)) max_attempts!: number;
  @Field(dateTime(), optional) next_attempt_at?: Instant;
  @Field(dateTime(), optional) last_attempt_at?: Instant;
  @Field(httpStatus, optional) response_status?: number;
  @Field(oneOf(...FAILURE_CODES), optional) failure_code?: DeliveryFailureCode;
  @Field(count, optional) duration_ms?: number;
  @Field(dateTime()) created_at!: Instant;
  @Field(dateTime()) updated_at!: Instant;
  @Field(dateTime(), optional) delivered_at?: Instant;
  @Field(objects(() => WebhookAttempt, 50), { description: 'Ended ones, oldest first' })
  attempts!: readonly WebhookAttempt[];

  static readonly example: WebhookDelivery = {
    contract: 'svc_webhook_delivery_v1',
    delivery_id: '019aa000-0000-5000-8000-0000000000e4',
    webhook_id: Webhook.example.webhook_id,
    event_id: '019aa000-0000-7000-8000-0000000000e5',
    event_type: 'webhook.test',
    status: 'delivered',
    attempt_count: 1,
    max_attempts: 6,
    last_attempt_at: '2026-11-21T12:00:00.000Z',
    response_status: 204,
    duration_ms: 38,
    created_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
    delivered_at: '2026-11-21T12:00:00.000Z',
    attempts: [{ attempted_at: '2026-11-21T12:00:00.000Z', response_status: 204, duration_ms: 38 }],
  };
}

export function deliveryResource(document: DeliveryDocument): WebhookDelivery {
  const attempts = document.attempts.map((attempt) => present(WebhookAttempt, attempt, {}));
  return present(WebhookDelivery, document, { contract: 'svc_webhook_delivery_v1', attempts });
}

class WebhookEventType implements CatalogueEntry {
  @Field(eventType) event_type!: PublicEventType;
  @Field(text({ max: 500 })) description!: string;
  @Field(shaped({ type: 'object' }), { description: 'JSON Schema 2020-12 of the body' }) schema!: object;
  @Field(shaped({ type: 'object' })) example!: CatalogueEntry['example'];

  static readonly example = EVENT_CATALOGUE[0]!;
}

export class WebhookAnswer {
  @Field(object(() => Webhook)) webhook!: Webhook;
}

/** Not a real secret, as its letters and length show. */
const NO_SECRET = 'whsec_live_EXAMPLE';
const secrets = { secret: NO_SECRET, standard_webhooks_secret: standardWebhooksSecret(NO_SECRET) };

/** Shows the secrets, for the only time. */
export class WebhookSecretAnswer extends WebhookAnswer {
  @Field(secret, { description: '`whsec_live_…`: its UTF-8 bytes are the key of X-Svc-Signature' })
  secret!: string;
  @Field(secret, { description: 'The same key as the Standard Webhooks libraries take it' })
  standard_webhooks_secret!: string;

  static readonly example: WebhookSecretAnswer = { webhook: Webhook.example, ...secrets };
}

/** Contains the secrets only after a rotation. */
export class UpdatedWebhookAnswer extends WebhookAnswer {
  @Field(secret, optional) secret?: string;
  @Field(secret, optional) standard_webhooks_secret?: string;

  static readonly example: UpdatedWebhookAnswer = { webhook: Webhook.example, ...secrets };
}

export class DeliveryAnswer {
  @Field(object(() => WebhookDelivery)) delivery!: WebhookDelivery;
}

export class WebhookList {
  @Field(objects(() => Webhook, 20), { description: 'Active and paused ones, newest first' })
  webhooks!: Webhook[];
  @Field(objects(() => WebhookDelivery, 50), { description: 'Newest first' })
  deliveries!: WebhookDelivery[];
  @Field(objects(() => WebhookEventType, 100), { description: 'All event types that a webhook can receive' })
  event_types!: WebhookEventType[];
}
