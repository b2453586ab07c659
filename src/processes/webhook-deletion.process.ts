import { CancelDeliveries } from '../contexts/webhooks/cancel-deliveries.command.js';
import type { EndpointEvent } from '../contexts/webhooks/domain/endpoint.events.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import type { Instant } from '../kernel/time.js';

/** Cancels the pending deliveries of a deleted webhook at once; repeated after a crash. */
export const webhookDeletion: Process<EndpointEvent> = {
  name: 'webhook-deletion',
  handles: ['WebhookDeleted', 'WebhookSettled'],

  react(event) {
    const { webhookId } = event.data;
    if (event.type === 'WebhookSettled') return [unschedule(webhookId)];
    return [schedule(webhookId, event.metadata.at, { accountId: idOf(event.stream), webhookId })];
  },
};

export const webhookDeletionCommand = ({ payload }: Timer, at: Instant, by: Origin) =>
  new CancelDeliveries(String(payload.accountId), String(payload.webhookId), at, by);
