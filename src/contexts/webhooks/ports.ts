import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { SigningKey } from '../../kernel/signing-key.js';
import type { Instant, Milliseconds } from '../../kernel/time.js';
import type { Traceparent, Tracing } from '../../kernel/tracing.js';
import type { DeliveryStatus } from './domain/delivery.events.js';
import type { PublicEventType } from './domain/endpoint.events.js';

/** Start of the next page of a work list. Opaque. */
export type Cursor = string;

export interface PageRequest {
  readonly limit: number;
  /** `next` of the previous page; absent for the first page. */
  readonly after?: Cursor;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** Absent on the last page. */
  readonly next?: Cursor;
}

export interface AttemptInFlight {
  readonly deliveryId: string;
  readonly startedAt?: Instant;
}

/** Deliveries to work on. The lists may lag behind the events. */
export abstract class PendingDeliveries {
  /** Ids of the ready deliveries of a webhook, oldest first. */
  abstract readyFor(webhookId: string, page: PageRequest): Promise<Page<string>>;
  /** Attempts of all webhooks that have started and not ended, oldest first. */
  abstract inFlight(limit: number): Promise<readonly AttemptInFlight[]>;
  /** Ids of the deliveries to cancel when a webhook is deleted, oldest first. */
  abstract unfinishedOf(
    accountId: string,
    webhookId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly string[]>;
  abstract countUnfinished(accountId: string, webhookId: string): Promise<number>;
  /** Failed attempts since `from`, in the newest `limit` deliveries that have not arrived. */
  abstract countFailures(accountId: string, webhookId: string, from: Instant, limit: number): Promise<number>;
  /** Ids of the deliveries that were delivered or cancelled before `at`, oldest first; a page may have none. */
  abstract endedBefore(at: Instant, page: PageRequest): Promise<Page<string>>;
  /** Statuses of those of the given deliveries that exist, finished or not. */
  abstract known(deliveryIds: readonly string[]): Promise<ReadonlyMap<string, DeliveryStatus>>;
}

export interface WebhookRef {
  readonly accountId: string;
  readonly webhookId: string;
}

/** Webhooks to work on, of all accounts, oldest first. The lists may lag behind the events. */
export abstract class ActiveWebhooks {
  /** Those that are not paused. */
  abstract active(page: PageRequest): Promise<Page<WebhookRef>>;
  /** Those with a running recovery, paused or not. */
  abstract recovering(page: PageRequest): Promise<Page<WebhookRef>>;
}

/** When events were stored. May lag behind the events. */
export abstract class LogTimes {
  /** A position before every event of this time or later; undefined: before the first event. */
  abstract positionBefore(at: Instant): Promise<Position | undefined>;
}

export interface DeliveryMetrics {
  /** The first request of a delivery is sent this many seconds after its event. */
  left(seconds: number): void;
  /** An attempt has ended, with this status of the delivery. */
  ended(status: string): void;
}

export const noDeliveryMetrics: DeliveryMetrics = { left: () => undefined, ended: () => undefined };

/** Settings for sending webhooks. */
export interface Sending {
  /** The product version, sent with every request. */
  readonly productVersion: string;
  readonly signingKey: SigningKey;
  /** Time limit of one request. */
  readonly timeoutMs: Milliseconds;
  /** True if no other instance sends: attempts in flight at the start were interrupted. */
  readonly alone: boolean;
  readonly metrics: DeliveryMetrics;
  readonly tracing?: Tracing | undefined;
  /** Reports a failure that will be retried. @param doing what was tried, as a gerund */
  readonly onError: (error: unknown, doing: string, deliveryId?: string) => void;
}

/** Provider token. */
export const SENDING = Symbol('how webhooks are sent');

export interface PublicEvent {
  readonly eventId: string;
  readonly eventType: PublicEventType;
  readonly accountId: string;
  readonly at: Instant;
  readonly correlationId: string;
  /** Of the event, else of the newest request about its resource. */
  readonly traceparent?: Traceparent | undefined;
  readonly body: Buffer;
}

export interface StreamPosition {
  readonly stream: string;
  readonly revision: number;
}

/** Renders stored events as public ones. Returns the same bytes every time, because bodies are not stored. */
export abstract class WebhookPayloads {
  /** Undefined if the stored event is not published. */
  abstract publicEventAt(position: StreamPosition): Promise<PublicEvent | undefined>;

  /** The account of the event's stream, without rendering a body. */
  abstract accountOf(event: RecordedEvent): Promise<string | undefined>;

  /** An event that is asked for soon, so that it is not read again. */
  abstract keep(event: RecordedEvent): void;
}
