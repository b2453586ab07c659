import type { PausedReason, PublicEventType } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import type { Instant } from '../../src/kernel/time.js';
import type { WebhookDocument } from './webhook-endpoints.js';

/** A webhook as the Integration API shows it; what has no value is left out. */
export interface WebhookResource {
  readonly contract: 'svc_webhook_v1';
  readonly webhook_id: string;
  readonly url: string;
  readonly description?: string;
  readonly event_types: readonly PublicEventType[];
  readonly status: 'active' | 'paused' | 'deleted';
  readonly secret_version: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly paused_reason?: PausedReason;
  readonly last_success_at?: Instant;
  readonly last_failure_at?: Instant;
}

/** When the endpoint last took a delivery, and last failed to: signs of life, not events. */
export interface WebhookHealth {
  readonly lastSuccessAt?: Instant;
  readonly lastFailureAt?: Instant;
}

/** @param status the answer to a deletion shows what was deleted */
export function webhookResource(
  document: WebhookDocument,
  { lastSuccessAt, lastFailureAt }: WebhookHealth = {},
  status: WebhookResource['status'] = document.status,
): WebhookResource {
  return {
    contract: 'svc_webhook_v1',
    webhook_id: document.webhook_id,
    url: document.url,
    ...(document.description !== undefined && { description: document.description }),
    event_types: document.event_types,
    status,
    secret_version: document.secret_version,
    created_at: document.created_at,
    updated_at: document.updated_at,
    ...(document.paused_reason !== undefined && { paused_reason: document.paused_reason }),
    ...(lastSuccessAt !== undefined && { last_success_at: lastSuccessAt }),
    ...(lastFailureAt !== undefined && { last_failure_at: lastFailureAt }),
  };
}
