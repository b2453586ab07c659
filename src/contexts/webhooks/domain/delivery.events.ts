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

/** Result of one request. */
export interface AttemptResult {
  readonly responseStatus?: number;
  readonly durationMs: Milliseconds;
  /** At most 1 KiB of the response, as text. */
  readonly responseBody?: string;
}

export interface DeliveryEventData {
  readonly DeliveryCreated: {
    readonly deliveryId: string;
    readonly accountId: string;
    readonly webhookId: string;
    /** Id of the stored event, by which receivers detect duplicates. */
    readonly eventId: string;
    readonly eventType: PublicEventType;
    readonly source: DeliverySource;
    readonly maxAttempts: number;
  };
  /** A scheduled retry is due. */
  readonly DeliveryBecameDue: Record<string, never>;
  /** The request may now be sent. Attempts count from 1, whatever started them. */
  readonly DeliveryAttemptStarted: { readonly attempt: number; readonly trigger: 'schedule' | 'manual' };
  readonly DeliverySucceeded: AttemptResult & { readonly attempt: number };
  readonly DeliveryAttemptFailed: AttemptResult & {
    readonly attempt: number;
    readonly failureCode: DeliveryFailureCode;
    /** `now`: interrupted by us, not counted. `never`: no automatic attempt follows. */
    readonly again: 'now' | 'later' | 'never';
    /** Present with `later`. */
    readonly nextAttemptAt?: Instant;
  };
  readonly DeliveryCancelled: { readonly reason: 'webhook_deleted' };
  /** It ended long ago. The last event of its stream; the earlier ones may be gone. */
  readonly DeliveryRemoved: Record<string, never>;
}

/** The delivery of one event to one webhook. */
export type DeliveryEvent = {
  [T in keyof DeliveryEventData]: { readonly type: T; readonly data: DeliveryEventData[T] };
}[keyof DeliveryEventData];
