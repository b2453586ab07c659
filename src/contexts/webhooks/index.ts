export { UndiciWebhookClient } from './client/undici-webhook-client.js';
export { WebhookClient } from './client/webhook-client.port.js';
export {
  createdWebhooks,
  DELIVERY,
  endpoints,
  makeDeliveries,
  type AttemptOutcome,
  deliveryIdOf,
  healthKeys,
} from './webhook.aggregates.js';
export { ManualAttempts } from './dispatch/manual-attempts.js';
export * from './domain/delivery.commands.js';
export type { DeliveryRejection } from './domain/delivery.decider.js';
export {
  DELIVERY_STATUSES,
  FAILURE_CODES,
  type DeliveryEvent,
  type DeliveryFailureCode,
  type DeliveryStatus,
} from './domain/delivery.events.js';
export { defaultDeliveryPolicy, type DeliveryPolicy } from './domain/delivery.policy.js';
export * from './domain/endpoint.commands.js';
export type { EndpointRejection } from './domain/endpoint.decider.js';
export {
  PAUSED_REASONS,
  PUBLIC_EVENT_TYPES,
  type PausedReason,
  type PublicEventType,
  type WebhookStatus,
} from './domain/endpoint.events.js';
export {
  ActiveWebhooks,
  LogTimes,
  noDeliveryMetrics,
  PendingDeliveries,
  WebhookPayloads,
  type DeliveryMetrics,
  type StreamPosition as EventPlace,
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
export { CLOCKS_MS, MissedEvents } from './recovery/missed-events.js';
export {
  isSealedUnder,
  mintWebhookSecret,
  SEALING_EVENTS,
  SecretBox,
  standardWebhooksSecret,
} from './secret-box.js';
export { signedHeaders, unsignedHeaders } from './signature.js';
export { WebhookLoops } from './webhook-loops.js';
