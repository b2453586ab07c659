import type { Milliseconds } from '../../../kernel/time.js';

/** What the sender has to tell about its work. */
export interface DeliveryMetrics {
  /** A first request leaves, so long after its event happened. */
  left(seconds: number): void;
  /** An attempt has ended, and the delivery is now in this status. */
  ended(status: string): void;
}

export const noDeliveryMetrics: DeliveryMetrics = { left: () => undefined, ended: () => undefined };

/** How webhooks are sent. */
export interface Sending {
  /** Tells receivers who made the event. */
  readonly productVersion: string;
  /** The longest exchange with a receiver. */
  readonly timeoutMs: Milliseconds;
  /** Nobody else sends over these stores: what is in flight at a start was cut off. */
  readonly alone: boolean;
  readonly metrics: DeliveryMetrics;
  /** Something failed that will be tried again. */
  readonly onError: (error: unknown, deliveryId?: string) => void;
}

/** Provider token. */
export const SENDING = Symbol('how webhooks are sent');
