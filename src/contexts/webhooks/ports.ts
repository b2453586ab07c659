import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { Instant, Milliseconds } from '../../kernel/time.js';
import type { PublicEventType } from './domain/endpoint.events.js';

/** Where the next page of a work list begins. Opaque. */
export type Cursor = string;

export interface PageRequest {
  readonly limit: number;
  /** `next` of the page before; absent for the first page. */
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

/** Deliveries that are not finished. The lists may lag behind the events. */
export abstract class PendingDeliveries {
  /** Ids of the deliveries to a webhook that may leave at once, oldest first. */
  abstract readyFor(webhookId: string, page: PageRequest): Promise<Page<string>>;
  /** Attempts of all webhooks that have started and not ended, oldest first. */
  abstract inFlight(limit: number): Promise<readonly AttemptInFlight[]>;
  /** Ids of the deliveries that the deletion of a webhook cancels, oldest first. */
  abstract unfinishedOf(
    accountId: string,
    webhookId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly string[]>;
  /** Which of these deliveries exist, finished or not. */
  abstract known(deliveryIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Webhooks that are not paused. The list may lag behind the events. */
export abstract class ActiveWebhooks {
  /** Ids of all accounts' active webhooks, oldest first. */
  abstract active(page: PageRequest): Promise<Page<string>>;
}

export interface DeliveryMetrics {
  /** The first request of a delivery leaves, so many seconds after its event. */
  left(seconds: number): void;
  /** An attempt has ended and left the delivery in this status. */
  ended(status: string): void;
}

export const noDeliveryMetrics: DeliveryMetrics = { left: () => undefined, ended: () => undefined };

/** How webhooks are sent. */
export interface Sending {
  /** Sent to receivers with every request. */
  readonly productVersion: string;
  /** The longest exchange with a receiver. */
  readonly timeoutMs: Milliseconds;
  /** No other instance sends over these stores: an attempt in flight at the start was interrupted. */
  readonly alone: boolean;
  readonly metrics: DeliveryMetrics;
  /** Reports a failure that is tried again. */
  readonly onError: (error: unknown, deliveryId?: string) => void;
}

/** Provider token. */
export const SENDING = Symbol('how webhooks are sent');

/** A public event, ready to be sent. */
export interface PublicEvent {
  readonly eventId: string;
  readonly eventType: PublicEventType;
  readonly accountId: string;
  readonly at: Instant;
  readonly correlationId: string;
  readonly body: Buffer;
}

/** The place of a stored event. */
export interface EventPlace {
  readonly stream: string;
  readonly revision: number;
}

/** Renders stored events as public ones: the same bytes whenever it is asked, because no body is stored. */
export abstract class WebhookPayloads {
  /** Undefined when the stored event is not published. */
  abstract publicEventAt(place: EventPlace): Promise<PublicEvent | undefined>;

  /** The account of the event's stream, without rendering a body. */
  abstract accountOf(event: RecordedEvent): Promise<string | undefined>;
}
