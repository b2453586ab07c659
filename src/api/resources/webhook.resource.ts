import type {
  RecoveryDocument,
  WebhookDocument,
} from '../../../projections/webhook-endpoints/webhook-endpoints.js';
import {
  healthKeys,
  PAUSED_REASONS,
  type PausedReason,
  PUBLIC_EVENT_TYPES,
  type PublicEventType,
  type WebhookStatus,
} from '../../contexts/webhooks/index.js';
import type { LivenessStore } from '../../event-sourcing/index.js';
import { Field, optional, present } from '../../http/validation/field.js';
import {
  boolean,
  constant,
  count,
  dateTime,
  integer,
  listOf,
  object,
  oneOf,
  text,
  uuid,
} from '../../http/validation/rules.js';
import type { Instant } from '../../kernel/time.js';

/** Not `format: uri`, because WHATWG accepts URLs that are not RFC 3986 URIs. */
const url = { inEvents: { type: 'string', maxLength: 2048 } } as const;
const description = { ...optional, inEvents: { type: 'string', maxLength: 160 } } as const;
/** Any text, because later versions may add event types. */
const types = {
  inEvents: { type: 'array', minItems: 1, uniqueItems: true, items: { type: 'string' } },
} as const;
/** A deleted webhook receives nothing. */
const status = { inEvents: { enum: ['active', 'paused'] } } as const;
/** What changes without an event of the webhook's owner is not in events. */
const apiOnly = { ...optional, inEvents: false } as const;

/** Sending what a webhook missed. */
export class WebhookRecovery implements RecoveryDocument {
  @Field(uuid()) recovery_id!: string;
  @Field(oneOf('running', 'finished')) status!: RecoveryDocument['status'];
  @Field(dateTime()) since!: Instant;
  @Field(dateTime()) until!: Instant;
  @Field(count, { optional: true, description: 'Missed events when it began, if they were counted' })
  events?: number;
  @Field(count, { description: 'Deliveries made or queued again; after each crash up to 1,000 fewer' })
  recovered!: number;
  @Field(dateTime()) started_at!: Instant;
  @Field(dateTime(), optional) finished_at?: Instant;
}

type Health = 'healthy' | 'failing' | 'paused';

/** A webhook as shown by the Integration API and its own test event. */
export class Webhook {
  @Field(constant('svc_webhook_v1')) contract!: 'svc_webhook_v1';
  @Field(uuid()) webhook_id!: string;
  @Field(text({ max: 2048 }), url) url!: string;
  @Field(text({ min: 0, max: 160 }), description) description?: string;
  @Field(
    listOf(oneOf(...PUBLIC_EVENT_TYPES), { min: 1, max: PUBLIC_EVENT_TYPES.length, unique: true }),
    types,
  )
  event_types!: readonly PublicEventType[];
  @Field(oneOf('active', 'paused', 'deleted'), status) status!: WebhookStatus;
  @Field(integer(1, Number.MAX_SAFE_INTEGER)) secret_version!: number;
  @Field(dateTime()) created_at!: Instant;
  @Field(dateTime()) updated_at!: Instant;
  @Field(oneOf(...PAUSED_REASONS), optional) paused_reason?: PausedReason;
  @Field(dateTime(), apiOnly) paused_at?: Instant;
  @Field(dateTime(), apiOnly) last_success_at?: Instant;
  @Field(dateTime(), apiOnly) last_failure_at?: Instant;
  @Field(boolean(), apiOnly) ordered?: boolean;
  @Field(oneOf('healthy', 'failing', 'paused'), apiOnly) health?: Health;
  @Field(dateTime(), apiOnly) failing_since?: Instant;
  @Field(object(() => WebhookRecovery), apiOnly) recovery?: WebhookRecovery;

  static readonly example: Webhook = {
    contract: 'svc_webhook_v1',
    webhook_id: '019aa000-0000-7000-8000-0000000000e1',
    url: 'https://hooks.example.com/printing',
    description: 'orders',
    event_types: ['job.spooler_completed', 'job.failed'],
    status: 'active',
    secret_version: 1,
    created_at: '2026-11-21T12:00:00.000Z',
    updated_at: '2026-11-21T12:00:00.000Z',
  };
}

/** Times of the endpoint's last success and failure, and of its first failure since, from the liveness store. */
interface WebhookHealth {
  readonly lastSuccessAt?: Instant | undefined;
  readonly lastFailureAt?: Instant | undefined;
  readonly failingSince?: Instant | undefined;
}

/**
 * @param health absent in events, which show nothing that changes without an event
 * @param status the answer to a deletion shows the webhook as deleted
 */
export function webhookResource(
  document: WebhookDocument,
  health?: WebhookHealth,
  status: WebhookStatus = document.status,
): Webhook {
  return present(Webhook, document, {
    contract: 'svc_webhook_v1',
    status,
    ...(health ? answering(document, health, status) : NOT_IN_EVENTS),
  });
}

const NOT_IN_EVENTS = { ordered: undefined, recovery: undefined, paused_at: undefined };

function answering(
  { ordered = false, recovery }: WebhookDocument,
  { lastSuccessAt, lastFailureAt, failingSince }: WebhookHealth,
  status: WebhookStatus,
) {
  const isAfterSuccess = (at: Instant | undefined) => at !== undefined && at > (lastSuccessAt ?? '');
  const isFailing = isAfterSuccess(lastFailureAt);
  const active: Health = isFailing ? 'failing' : 'healthy';
  // Earlier releases kept no time of the first failure.
  const since = isAfterSuccess(failingSince) ? failingSince : lastFailureAt;
  return {
    ordered,
    recovery,
    last_success_at: lastSuccessAt,
    last_failure_at: lastFailureAt,
    health: { active, paused: 'paused', deleted: undefined }[status] as Health | undefined,
    failing_since: isFailing ? since : undefined,
  };
}

export async function webhookResources(
  documents: readonly WebhookDocument[],
  liveness: LivenessStore,
): Promise<readonly Webhook[]> {
  const times = await liveness.lastHeartbeats(documents.flatMap((it) => healthKeys(it.webhook_id)));
  return documents.map((document, n) => {
    const [lastSuccessAt, lastFailureAt, failingSince] = times.slice(3 * n);
    return webhookResource(document, { lastSuccessAt, lastFailureAt, failingSince });
  });
}
