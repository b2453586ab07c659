import type { Aggregate } from '../../runtime/aggregate-store.js';
import type { DeliveryCommand } from './domain/delivery.commands.js';
import { makeDeliveryDecider, type DeliveryRejection } from './domain/delivery.decider.js';
import type { DeliveryEvent } from './domain/delivery.events.js';
import type { DeliveryPolicy } from './domain/delivery.policy.js';
import type { Delivery } from './domain/delivery.state.js';
import type { EndpointCommand } from './domain/endpoint.commands.js';
import { endpointDecider, type EndpointRejection } from './domain/endpoint.decider.js';
import type { EndpointEvent } from './domain/endpoint.events.js';
import type { Endpoints } from './domain/endpoint.state.js';

export { CancelDeliveries } from './cancel-deliveries.command.js';
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
export { EndpointsAt } from './endpoints-at.js';
export { SecretBox, SecretUnreadableError } from './secret-box.js';
export { mintWebhookSecret, standardWebhooksSecret } from './secret.js';
export { canonicalMessage, signedHeaders, type Signing } from './signature.js';

/** The endpoints of an account; the id is the account's. */
export const endpoints: Aggregate<Endpoints, EndpointCommand, EndpointEvent, EndpointRejection> = {
  category: 'webhooks',
  decider: endpointDecider,
};

/** Provider token of the deliveries, whose decider is made from the configured delays. */
export const DELIVERY = Symbol('delivery aggregate');

export type DeliveryAggregate = Aggregate<Delivery, DeliveryCommand, DeliveryEvent, DeliveryRejection>;

export function makeDeliveries(policy: DeliveryPolicy): DeliveryAggregate {
  return { category: 'delivery', decider: makeDeliveryDecider(policy) };
}
