import type { Outcome } from '../../kernel/command.js';
import type { DeliveryCommand } from './domain/delivery.commands.js';
import { makeDeliveryDecider, type DeliveryRejection } from './domain/delivery.decider.js';
import type { DeliveryEvent } from './domain/delivery.events.js';
import type { DeliveryPolicy } from './domain/delivery.policy.js';
import type { Delivery } from './domain/delivery.state.js';
import { endpointDecider, type EndpointRejection } from './domain/endpoint.decider.js';
import type { EndpointEvent } from './domain/endpoint.events.js';
import { aggregate, type Aggregate, type EventStore } from '../../event-sourcing/index.js';
import { v5 } from 'uuid';
import { streamOf } from '../../kernel/ids.js';

/** What processes note about their own work. */
const NOTES: ReadonlySet<EndpointEvent['type']> = new Set([
  'WebhookSettled',
  'WebhookRecoveryAdvanced',
  'WebhookRecoveryFinished',
] as const);

export const endpoints = aggregate({
  category: 'webhooks',
  decider: endpointDecider,
  serialised: true,
  auditedIn: ({ type }, { id }) => (NOTES.has(type) ? undefined : id),
});

export const DELIVERY = Symbol('delivery aggregate');

export type DeliveryAggregate = Aggregate<Delivery, DeliveryCommand, DeliveryEvent, DeliveryRejection>;

export type AttemptOutcome = Outcome<Delivery, DeliveryEvent, DeliveryRejection | EndpointRejection>;

export function makeDeliveries(policy: DeliveryPolicy): DeliveryAggregate {
  return { category: 'delivery', decider: makeDeliveryDecider(policy) };
}

/** The same webhook and event always give the same id, so a delivery is created once. */
export function deliveryIdOf(webhookId: string, eventId: string): string {
  return v5(eventId, webhookId);
}

/** Keys of an endpoint's last success, last failure, and first failure since a success in the liveness store. */
export const healthKeys = (webhookId: string) =>
  [`webhook-success:${webhookId}`, `webhook-failure:${webhookId}`, `webhook-failing:${webhookId}`] as const;

/** Ids of all webhooks that the account has ever had, because deliveries of deleted ones stay. */
export async function createdWebhooks(events: EventStore, accountId: string): Promise<readonly string[]> {
  const stored = await events.load(streamOf(endpoints.category, accountId));
  return (stored as unknown as readonly EndpointEvent[]).flatMap((event) =>
    event.type === 'WebhookCreated' ? [event.data.webhookId] : [],
  );
}
