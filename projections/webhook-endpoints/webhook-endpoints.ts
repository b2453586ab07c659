import type { PausedReason, PublicEventType } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

export interface RecoveryDocument {
  readonly recovery_id: string;
  readonly status: 'running' | 'finished';
  readonly since: Instant;
  readonly until: Instant;
  readonly events?: number;
  readonly recovered: number;
  readonly started_at: Instant;
  readonly finished_at?: Instant;
}

/** Sealed secrets are only in the events. */
export interface WebhookDocument {
  readonly webhook_id: string;
  readonly account_id: string;
  readonly url: string;
  readonly description?: string;
  readonly event_types: readonly PublicEventType[];
  readonly ordered?: boolean;
  readonly status: 'active' | 'paused';
  readonly secret_version: number;
  readonly paused_reason?: PausedReason;
  readonly paused_at?: Instant;
  readonly recovery?: RecoveryDocument;
  /** As in `recovery`, for the index. */
  readonly recovery_status?: RecoveryDocument['status'];
  readonly created_at: Instant;
  readonly updated_at: Instant;
  /** Revision in the stream of the account's webhooks. */
  readonly sequence: number;
}

export const webhookEndpointsView: ViewDefinition<WebhookDocument> = {
  name: 'webhook-endpoints',
  version: 2,
  indexes: [
    { fields: ['account_id'] },
    { fields: ['status'] },
    { fields: ['recovery_status'], onlyWhen: { field: 'recovery_status', in: ['running'] } },
  ],
};
