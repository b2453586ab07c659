import {
  DELIVERY_STATUSES,
  type DeliveryFailureCode,
  type DeliveryStatus,
  FAILURE_CODES,
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
} from '../../../contexts/webhooks/index.js';
import { Field, optional } from '../../../http/validation/field.js';
import { boolean, dateTime, integer, listOf, oneOf, text, uuid } from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';
import { CursorQuery } from '../../lists.js';

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
