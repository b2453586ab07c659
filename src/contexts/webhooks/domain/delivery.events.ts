import type { EventsOf } from '../../../kernel/recorded-event.js';
import type { Instant, Milliseconds } from '../../../kernel/time.js';
import type { PublicEventType } from './endpoint.events.js';

export const DELIVERY_STATUSES = [
  'pending',
  'delivering',
  'retry_scheduled',
  'delivered',
  'dead_letter',
  'cancelled',
] as const;

export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const FAILURE_CODES = [
  'HTTP_STATUS',
  'TIMEOUT',
  'CONNECTION_FAILED',
  'TLS_FAILED',
  'DNS_FAILED',
  'TARGET_REFUSED',
  'INTERRUPTED',
] as const;

export type DeliveryFailureCode = (typeof FAILURE_CODES)[number];

/** Each attempt renders the same payload from it. */
export interface DeliverySource {
  readonly stream: string;
  readonly revision: number;
}

export interface AttemptResult {
  readonly responseStatus?: number;
  readonly durationMs: Milliseconds;
  /** At most 1 KiB of text. */
  readonly responseBody?: string;
}

export interface DeliveryEventData {
  readonly DeliveryCreated: {
    readonly deliveryId: string;
    readonly accountId: string;
    readonly webhookId: string;
    /** Receivers detect duplicates by it. */
    readonly eventId: string;
    readonly eventType: PublicEventType;
    readonly source: DeliverySource;
    readonly maxAttempts: number;
    /** The recovery that found the event without a delivery. */
    readonly recoveryId?: string;
  };
  readonly DeliveryBecameDue: Record<string, never>;
  /** Stored before the request. Attempts count from 1, manual ones too. */
  readonly DeliveryAttemptStarted: { readonly attempt: number; readonly trigger: 'schedule' | 'manual' };
  readonly DeliverySucceeded: AttemptResult & { readonly attempt: number };
  readonly DeliveryAttemptFailed: AttemptResult & {
    readonly attempt: number;
    readonly failureCode: DeliveryFailureCode;
    /** `now`: interrupted by the service, not counted. `never`: no automatic attempt follows. */
    readonly again: 'now' | 'later' | 'never';
    /** Present with `later`. */
    readonly nextAttemptAt?: Instant;
  };
  /** A recovery sends it again, with all its attempts. */
  readonly DeliveryRequeued: { readonly recoveryId: string };
  readonly DeliveryCancelled: { readonly reason: 'webhook_deleted' };
  /** Earlier events of its stream may be gone; a recovery may create it again. */
  readonly DeliveryRemoved: Record<string, never>;
}

export type DeliveryEvent = EventsOf<DeliveryEventData>;
