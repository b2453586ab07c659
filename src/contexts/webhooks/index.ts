export { CancelDeliveries } from './cancel-deliveries.command.js';
export { DeliveryAttempts, type AttemptOutcome } from './delivery-attempts.js';
export { deliveryIdOf } from './delivery-id.js';
export * from './domain/delivery.commands.js';
export type { DeliveryRejection } from './domain/delivery.decider.js';
export {
  FAILURE_CODES,
  type AttemptResult,
  type DeliveryEvent,
  type DeliveryFailureCode,
  type DeliverySource,
  type DeliveryStatus,
} from './domain/delivery.events.js';
export { defaultDeliveryPolicy, maxAttempts, type DeliveryPolicy } from './domain/delivery.policy.js';
export type { Delivery } from './domain/delivery.state.js';
export * from './domain/endpoint.commands.js';
export type { EndpointRejection } from './domain/endpoint.decider.js';
export {
  PUBLIC_EVENT_TYPES,
  type EndpointEvent,
  type PausedReason,
  type PublicEventType,
  type SealedSecret,
  type WebhookSettings,
  type WebhookStatus,
} from './domain/endpoint.events.js';
export {
  signingSecrets,
  subscribersTo,
  webhookOf,
  type Endpoints,
  type Webhook,
} from './domain/endpoint.state.js';
export { noDeliveryMetrics, type DeliveryMetrics, type Sending } from './dispatch/sending.js';
export { EndpointsAt } from './endpoints-at.js';
export { isSealedUnder, SEALING_EVENTS, SecretBox, SecretUnreadableError } from './secret-box.js';
export { mintWebhookSecret, standardWebhooksSecret } from './secret.js';
export { canonicalMessage, signedHeaders, type Signing } from './signature.js';
export { WebhookLoops } from './webhook-loops.js';
export { DELIVERY, endpoints, makeDeliveries, type DeliveryAggregate } from './webhook.aggregates.js';
