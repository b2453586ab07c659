import type {
  AttemptResult,
  DeliveryEvent,
  DeliveryEventData,
  DeliveryFailureCode,
} from '../../src/contexts/webhooks/domain/delivery.events.js';
import { idOf } from '../../src/kernel/ids.js';
import { changesBy, typesOf, type Moves, type Projection } from '../../src/kernel/projection.js';
import { hourOf, type Instant } from '../../src/kernel/time.js';
import { webhookDeliveriesView, type DeliveryDocument } from './webhook-deliveries.js';

type Changes = Partial<DeliveryDocument>;
/** Six are scheduled; manual and interrupted ones are additional. Drops the oldest. */
const ATTEMPTS_SHOWN = 50;

const moves: Moves<DeliveryDocument, Omit<DeliveryEventData, 'DeliveryCreated' | 'DeliveryRemoved'>> = {
  DeliveryBecameDue: () => ({ queue: 'ready' }),
  DeliveryAttemptStarted: ({ attempt }, at) => ({
    status: 'delivering',
    queue: 'in_flight',
    attempt_count: attempt,
    last_attempt_at: at,
    next_attempt_at: undefined,
  }),
  DeliverySucceeded: (data, at, before) => ({
    ...ended(data, undefined, before),
    status: 'delivered',
    queue: 'done',
    delivered_at: at,
  }),
  DeliveryAttemptFailed: (data, _, before) => ({
    ...ended(data, data.failureCode, before),
    status: data.again === 'never' ? 'dead_letter' : 'retry_scheduled',
    queue: ({ now: 'ready', later: 'waiting', never: 'done' } as const)[data.again],
    next_attempt_at: data.nextAttemptAt,
  }),
  DeliveryRequeued: () => ({
    status: 'pending',
    queue: 'ready',
    next_attempt_at: undefined,
    delivered_at: undefined,
  }),
  DeliveryCancelled: () => ({ status: 'cancelled', queue: 'done', next_attempt_at: undefined }),
};

export const webhookDeliveriesProjection: Projection<DeliveryDocument, DeliveryEvent> = {
  view: webhookDeliveriesView,
  category: 'delivery',
  handles: ['DeliveryCreated', ...typesOf(moves), 'DeliveryRemoved'],
  keysOf: (event) => [idOf(event.stream)],

  apply(document, event) {
    const { at } = event.metadata;
    if (event.type === 'DeliveryCreated') return created(event.data, at, event.revision);
    if (!document || event.type === 'DeliveryRemoved') return undefined;
    return { ...document, ...changesBy(moves, event, document), updated_at: at, sequence: event.revision };
  },
};

/** @param sequence greater than 0 if a removed delivery is created again */
function created(
  data: DeliveryEventData['DeliveryCreated'],
  at: Instant,
  sequence: number,
): DeliveryDocument {
  return {
    delivery_id: data.deliveryId,
    account_id: data.accountId,
    webhook_id: data.webhookId,
    event_id: data.eventId,
    event_type: data.eventType,
    source_stream: data.source.stream,
    source_revision: data.source.revision,
    status: 'pending',
    queue: 'ready',
    attempt_count: 0,
    max_attempts: data.maxAttempts,
    created_at: at,
    created_hour: hourOf(at),
    updated_at: at,
    attempts: [],
    sequence,
  };
}

function ended(
  { responseStatus, durationMs }: AttemptResult,
  failureCode: DeliveryFailureCode | undefined,
  { attempts, last_attempt_at, created_at }: DeliveryDocument,
): Changes {
  const result = { response_status: responseStatus, failure_code: failureCode, duration_ms: durationMs };
  const attempt = { attempted_at: last_attempt_at ?? created_at, ...result };
  return { ...result, attempts: [...attempts.slice(1 - ATTEMPTS_SHOWN), attempt] };
}
