import type { DeliveryEvent } from '../contexts/webhooks/domain/delivery.events.js';
import { MakeDeliveryDue } from '../contexts/webhooks/domain/delivery.commands.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import type { Instant } from '../kernel/time.js';

/** Marks a delivery as due at its retry time; the dispatcher sends it. */
export const webhookRetry: Process<DeliveryEvent> = {
  name: 'webhook-retry',
  handles: ['DeliveryAttemptFailed', 'DeliveryBecameDue', 'DeliveryAttemptStarted', 'DeliveryCancelled'],

  react(event) {
    const deliveryId = idOf(event.stream);
    if (event.type !== 'DeliveryAttemptFailed') return [unschedule(deliveryId)];
    const { attempt, nextAttemptAt } = event.data;
    return nextAttemptAt === undefined ? [] : [schedule(deliveryId, nextAttemptAt, { deliveryId, attempt })];
  },
};

export const webhookRetryCommand = ({ payload }: Timer, at: Instant, by: Origin) =>
  new MakeDeliveryDue(String(payload.deliveryId), Number(payload.attempt), at, by);
