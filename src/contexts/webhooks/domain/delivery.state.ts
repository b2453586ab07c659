import type { Instant } from '../../../kernel/time.js';
import type { DeliveryEvent, DeliveryEventData, DeliverySource, DeliveryStatus } from './delivery.events.js';

export interface Delivery {
  /** `removed` keeps only the id. */
  readonly status: DeliveryStatus | 'absent' | 'removed';
  readonly accountId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly source: DeliverySource;
  readonly attempts: number;
  /** Interrupted attempts do not count. */
  readonly failures: number;
  readonly nextAttemptAt?: Instant;
  readonly due: boolean;
  /** The last recovery that created it or sent it again. */
  readonly recoveryId?: string;
}

export const noDelivery: Delivery = {
  status: 'absent',
  accountId: '',
  webhookId: '',
  eventId: '',
  eventType: '',
  source: { stream: '', revision: 0 },
  attempts: 0,
  failures: 0,
  due: false,
};

type Moves = {
  readonly [T in DeliveryEvent['type']]: (data: DeliveryEventData[T], before: Delivery) => Partial<Delivery>;
};

const moves: Moves = {
  DeliveryCreated: ({ accountId, webhookId, eventId, eventType, source, recoveryId }) => ({
    status: 'pending',
    accountId,
    webhookId,
    eventId,
    eventType,
    source,
    due: true,
    ...(recoveryId !== undefined && { recoveryId }),
  }),
  DeliveryBecameDue: () => ({ due: true }),
  DeliveryAttemptStarted: ({ attempt }) => ({
    status: 'delivering',
    attempts: attempt,
    nextAttemptAt: undefined,
    due: false,
  }),
  DeliverySucceeded: () => ({ status: 'delivered' }),
  DeliveryAttemptFailed: ({ again, nextAttemptAt }, { failures }) => ({
    status: again === 'never' ? 'dead_letter' : 'retry_scheduled',
    failures: again === 'now' ? failures : failures + 1,
    nextAttemptAt,
    due: again === 'now',
  }),
  DeliveryRequeued: ({ recoveryId }) => ({
    status: 'pending',
    failures: 0,
    nextAttemptAt: undefined,
    due: true,
    recoveryId,
  }),
  DeliveryCancelled: () => ({ status: 'cancelled', nextAttemptAt: undefined, due: false }),
  DeliveryRemoved: () => ({ ...noDelivery, status: 'removed', recoveryId: undefined }),
};

export function evolve(delivery: Delivery, event: DeliveryEvent): Delivery {
  const move = moves[event.type] as (data: object, before: Delivery) => Partial<Delivery>;
  return { ...delivery, ...move(event.data, delivery) };
}
