import type {
  DeliveryFailureCode,
  DeliveryStatus,
} from '../../src/contexts/webhooks/domain/delivery.events.js';
import type { PublicEventType } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant, Milliseconds } from '../../src/kernel/time.js';

export interface AttemptDocument {
  readonly attempted_at: Instant;
  readonly response_status?: number;
  readonly failure_code?: DeliveryFailureCode;
  readonly duration_ms: Milliseconds;
}

/** Next step: send now, wait for the timer, await an answer, none. */
export type DeliveryQueue = 'ready' | 'waiting' | 'in_flight' | 'done';

export interface DeliveryDocument {
  readonly delivery_id: string;
  readonly account_id: string;
  readonly webhook_id: string;
  readonly event_id: string;
  readonly event_type: PublicEventType;
  readonly source_stream: string;
  readonly source_revision: number;
  readonly status: DeliveryStatus;
  readonly queue: DeliveryQueue;
  /** Includes interrupted and manual attempts. */
  readonly attempt_count: number;
  readonly max_attempts: number;
  readonly next_attempt_at?: Instant;
  readonly last_attempt_at?: Instant;
  readonly response_status?: number;
  readonly failure_code?: DeliveryFailureCode;
  readonly duration_ms?: Milliseconds;
  readonly created_at: Instant;
  /** `YYYY-MM-DDTHH` of the creation in UTC, by which charts count. */
  readonly created_hour: string;
  readonly updated_at: Instant;
  readonly delivered_at?: Instant;
  /** Oldest first. */
  readonly attempts: readonly AttemptDocument[];
  readonly sequence: number;
}

export const UNFINISHED_STATUSES = ['pending', 'delivering', 'retry_scheduled'] as const;

export const DELIVERIES_BY_HOUR = ['created_hour', 'status'];
export const DELIVERIES_BY_HOUR_OF_ACCOUNT = ['account_id', ...DELIVERIES_BY_HOUR];

export const webhookDeliveriesView: ViewDefinition<DeliveryDocument> = {
  name: 'webhook-deliveries',
  version: 2,
  indexes: [
    { fields: ['account_id', 'status'] },
    { fields: ['account_id', 'webhook_id', 'status'] },
    { fields: ['webhook_id'], onlyWhen: { field: 'queue', in: ['ready'] } },
    { fields: ['queue'], onlyWhen: { field: 'queue', in: ['in_flight'] } },
  ],
  countBy: [['queue'], DELIVERIES_BY_HOUR_OF_ACCOUNT, DELIVERIES_BY_HOUR],
};
