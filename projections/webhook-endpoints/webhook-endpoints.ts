import type { PausedReason, PublicEventType } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

/** Sealed secrets are only in the events. */
export interface WebhookDocument {
  readonly webhook_id: string;
  readonly account_id: string;
  readonly url: string;
  readonly description?: string;
  readonly event_types: readonly PublicEventType[];
  readonly status: 'active' | 'paused';
  readonly secret_version: number;
  readonly paused_reason?: PausedReason;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  /** Revision in the stream of the account's webhooks. */
  readonly sequence: number;
}

export const webhookEndpointsView: ViewDefinition<WebhookDocument> = {
  name: 'webhook-endpoints',
  version: 1,
  indexes: [{ fields: ['account_id'] }, { fields: ['status'] }],
};
