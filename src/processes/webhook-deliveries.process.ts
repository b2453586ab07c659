import type { DeliveryEvent } from '../contexts/webhooks/domain/delivery.events.js';
import { MakeDeliveryDue } from '../contexts/webhooks/domain/delivery.commands.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type TimedProcess } from '../kernel/process.js';
import { CancelDeliveries } from '../contexts/webhooks/domain/endpoint.commands.js';
import type { EndpointEvent } from '../contexts/webhooks/domain/endpoint.events.js';

export const webhookRetry: TimedProcess<DeliveryEvent> = {
  name: 'webhook-retry',
  // After an interrupted scavenge, a removal may be the only event that follows a failure.
  handles: [
    'DeliveryAttemptFailed',
    'DeliveryBecameDue',
    'DeliveryAttemptStarted',
    'DeliveryRequeued',
    'DeliveryCancelled',
    'DeliveryRemoved',
  ],

  react(event) {
    const deliveryId = idOf(event.stream);
    if (event.type !== 'DeliveryAttemptFailed') return [unschedule(deliveryId)];
    const { attempt, nextAttemptAt } = event.data;
    return nextAttemptAt === undefined ? [] : [schedule(deliveryId, nextAttemptAt, { attempt })];
  },

  command: ({ subject, payload }, at, by) =>
    new MakeDeliveryDue({ deliveryId: subject, attempt: Number(payload.attempt), at, by }),
};

export const webhookDeletion: TimedProcess<EndpointEvent> = {
  name: 'webhook-deletion',
  handles: ['WebhookDeleted', 'WebhookSettled'],

  react(event) {
    const { webhookId } = event.data;
    if (event.type === 'WebhookSettled') return [unschedule(webhookId)];
    return [schedule(webhookId, event.metadata.at, { accountId: idOf(event.stream) })];
  },

  command: ({ subject, payload }, at, by) =>
    new CancelDeliveries({ accountId: String(payload.accountId), webhookId: subject, at, by }),
};
