import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { Instant, Milliseconds } from '../../kernel/time.js';
import type { PublicEventType } from './domain/endpoint.events.js';

/** Opaque start of the next page. */
export type Cursor = string;

export interface PageRequest {
  readonly limit: number;
  readonly after?: Cursor;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly next?: Cursor;
}

export interface AttemptInFlight {
  readonly deliveryId: string;
  readonly startedAt?: Instant;
}

/** The lists may lag behind the events. */
export abstract class PendingDeliveries {
  /** Oldest first. */
  abstract readyFor(webhookId: string, page: PageRequest): Promise<Page<string>>;
  /** Started and not ended, of all webhooks, oldest first. */
  abstract inFlight(limit: number): Promise<readonly AttemptInFlight[]>;
  /** Oldest first. */
  abstract unfinishedOf(
    accountId: string,
    webhookId: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly string[]>;
  abstract countUnfinished(accountId: string, webhookId: string): Promise<number>;
  /** Delivered or cancelled, oldest first; a page may be empty. */
  abstract endedBefore(at: Instant, page: PageRequest): Promise<Page<string>>;
  abstract known(deliveryIds: readonly string[]): Promise<ReadonlySet<string>>;
}

export abstract class ActiveWebhooks {
  /** Of all accounts, oldest first. */
  abstract active(page: PageRequest): Promise<Page<string>>;
}

export interface DeliveryMetrics {
  left(seconds: number): void;
  ended(status: string): void;
}

export const noDeliveryMetrics: DeliveryMetrics = { left: () => undefined, ended: () => undefined };

export interface Sending {
  readonly productVersion: string;
  readonly timeoutMs: Milliseconds;
  /** No other instance sends, so attempts in flight at the start were interrupted. */
  readonly alone: boolean;
  readonly metrics: DeliveryMetrics;
  /** Failures are retried. @param doing a gerund */
  readonly onError: (error: unknown, doing: string, deliveryId?: string) => void;
}

export const SENDING = Symbol('how webhooks are sent');

export interface PublicEvent {
  readonly eventId: string;
  readonly eventType: PublicEventType;
  readonly accountId: string;
  readonly at: Instant;
  readonly correlationId: string;
  readonly body: Buffer;
}

export interface StreamPosition {
  readonly stream: string;
  readonly revision: number;
}

/** Returns the same bytes every time, because bodies are not stored. */
export abstract class WebhookPayloads {
  /** Undefined if the stored event is not published. */
  abstract publicEventAt(position: StreamPosition): Promise<PublicEvent | undefined>;

  /** Renders no body. */
  abstract accountOf(event: RecordedEvent): Promise<string | undefined>;
}
