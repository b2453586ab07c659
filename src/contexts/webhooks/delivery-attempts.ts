import type { Outcome } from '../../kernel/command.js';
import type { Origin, RecordedEvent } from '../../kernel/recorded-event.js';
import type { DeliveryRejection } from './domain/delivery.decider.js';
import type { DeliveryEvent } from './domain/delivery.events.js';
import type { Delivery } from './domain/delivery.state.js';
import type { EndpointRejection } from './domain/endpoint.decider.js';

/** The delivery after the attempt, and what the attempt stored; the views of the embedded store show it by then. */
export type AttemptOutcome = Outcome<Delivery, DeliveryEvent, DeliveryRejection | EndpointRejection>;

/**
 * Attempts that somebody waits for, on whichever instance was asked. They keep the limits of requests in flight,
 * but go before what is queued; when there is no room within the time limit of a request, the delivery is answered
 * as it is then. @throws as `AggregateStore.execute`, also when the outcome of a retry cannot be stored
 */
export abstract class DeliveryAttempts {
  /**
   * Tells the webhook of a stored event at once, whether or not others have begun to: one delivery, one attempt.
   * @param event `WebhookTestRequested` of this webhook
   */
  abstract tell(webhookId: string, event: RecordedEvent, by: Origin): Promise<AttemptOutcome>;
  /** The next attempt, now: of a delivery that waits for its retry or is a dead letter. */
  abstract retry(deliveryId: string, by: Origin): Promise<AttemptOutcome>;
}
