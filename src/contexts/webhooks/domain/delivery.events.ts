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

/** The stored event; each attempt renders the same payload from it. */
export interface DeliverySource {
  readonly stream: string;
  readonly revision: number;
}

/** What came of one request. */
export interface AttemptResult {
  readonly responseStatus?: number;
  readonly durationMs: Milliseconds;
  /** At most 1 KiB of the answer, as text. */
  readonly responseBody?: string;
}

export interface DeliveryEventData {
  readonly DeliveryCreated: {
    readonly deliveryId: string;
    readonly accountId: string;
    readonly webhookId: string;
    /** Of the stored event: what the receiver de-duplicates by. */
    readonly eventId: string;
    readonly eventType: PublicEventType;
    readonly source: DeliverySource;
    readonly maxAttempts: number;
  };
  /** The time of a scheduled retry has come. */
  readonly DeliveryBecameDue: Record<string, never>;
  /** The request may leave from here on. Attempts count from 1, whoever caused them. */
  readonly DeliveryAttemptStarted: { readonly attempt: number; readonly trigger: 'schedule' | 'manual' };
  readonly DeliverySucceeded: AttemptResult & { readonly attempt: number };
  readonly DeliveryAttemptFailed: AttemptResult & {
    readonly attempt: number;
    readonly failureCode: DeliveryFailureCode;
    /** `now`: interrupted by us, not counted. `never`: nobody tries again by itself. */
    readonly again: 'now' | 'later' | 'never';
    /** Only with `later`. */
    readonly nextAttemptAt?: Instant;
  };
  readonly DeliveryCancelled: { readonly reason: 'webhook_deleted' };
}

/** One event on its way to one webhook. */
export type DeliveryEvent = {
  [T in keyof DeliveryEventData]: { readonly type: T; readonly data: DeliveryEventData[T] };
}[keyof DeliveryEventData];
