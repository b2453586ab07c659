export { CancelDeliveries } from './cancel-deliveries.command.js';
export { ManualAttempts } from './dispatch/manual-attempts.js';
export * from './domain/delivery.commands.js';
export type { DeliveryRejection } from './domain/delivery.decider.js';
export {
  DELIVERY_STATUSES,
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
export {
  ActiveWebhooks,
  noDeliveryMetrics,
  PendingDeliveries,
  WebhookPayloads,
  type DeliveryMetrics,
  type EventPlace,
  type PublicEvent,
  type Sending,
} from './ports.js';
export {
  deliveredTypeOf,
  PUBLIC_EVENTS,
  publicTypeOf,
  subjectOf,
  PUBLISHED_EVENTS,
  type SubjectName,
} from './public-events.js';
export { isSealedUnder, SEALING_EVENTS, SecretBox, SecretUnreadableError } from './secret-box.js';
export { mintWebhookSecret, standardWebhooksSecret } from './secret.js';
export { canonicalMessage, signedHeaders, type Signing } from './signature.js';
export { WebhookLoops } from './webhook-loops.js';
export {
  DELIVERY,
  endpoints,
  makeDeliveries,
  type AttemptOutcome,
  type DeliveryAggregate,
} from './webhook.aggregates.js';
export { deliveryIdOf, healthKeys } from './webhook-keys.js';
