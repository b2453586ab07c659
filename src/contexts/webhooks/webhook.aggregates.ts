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

/** The endpoints of an account, under the account's id. */
export const endpoints: Aggregate<Endpoints, EndpointCommand, EndpointEvent, EndpointRejection> = {
  category: 'webhooks',
  decider: endpointDecider,
  serialised: true,
  auditedIn: ({ type }, { id }) => (type === 'WebhookSettled' ? undefined : id),
};

/** Provider token of the deliveries, whose decider depends on the configured delays. */
export const DELIVERY = Symbol('delivery aggregate');

export type DeliveryAggregate = Aggregate<Delivery, DeliveryCommand, DeliveryEvent, DeliveryRejection>;

/** A delivery after an attempt, with the events stored by it. */
export type AttemptOutcome = Outcome<Delivery, DeliveryEvent, DeliveryRejection | EndpointRejection>;

export function makeDeliveries(policy: DeliveryPolicy): DeliveryAggregate {
  return { category: 'delivery', decider: makeDeliveryDecider(policy) };
}
