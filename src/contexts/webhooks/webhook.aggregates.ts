import type { Outcome } from '../../kernel/command.js';
import type { DeliveryCommand } from './domain/delivery.commands.js';
import { makeDeliveryDecider, type DeliveryRejection } from './domain/delivery.decider.js';
import type { DeliveryEvent } from './domain/delivery.events.js';
import type { DeliveryPolicy } from './domain/delivery.policy.js';
import type { Delivery } from './domain/delivery.state.js';
import type { EndpointCommand } from './domain/endpoint.commands.js';
import { endpointDecider, type EndpointRejection } from './domain/endpoint.decider.js';
import type { EndpointEvent } from './domain/endpoint.events.js';
import type { Endpoints } from './domain/endpoint.state.js';
import type { Aggregate } from '../../event-sourcing/index.js';

/** What processes note about their own work. */
const NOTES: ReadonlySet<EndpointEvent['type']> = new Set([
  'WebhookSettled',
  'WebhookRecoveryAdvanced',
  'WebhookRecoveryFinished',
] as const);

export const endpoints: Aggregate<Endpoints, EndpointCommand, EndpointEvent, EndpointRejection> = {
  category: 'webhooks',
  decider: endpointDecider,
  serialised: true,
  auditedIn: ({ type }, { id }) => (NOTES.has(type) ? undefined : id),
};

export const DELIVERY = Symbol('delivery aggregate');

export type DeliveryAggregate = Aggregate<Delivery, DeliveryCommand, DeliveryEvent, DeliveryRejection>;

export type AttemptOutcome = Outcome<Delivery, DeliveryEvent, DeliveryRejection | EndpointRejection>;

export function makeDeliveries(policy: DeliveryPolicy): DeliveryAggregate {
  return { category: 'delivery', decider: makeDeliveryDecider(policy) };
}
