import { idOf } from '../../../kernel/ids.js';
import type { RecordedEvent } from '../../../kernel/recorded-event.js';
import type { DeliveryEvent } from '../domain/delivery.events.js';
import type { EndpointEvent } from '../domain/endpoint.events.js';
import type { WebhookRef } from '../ports.js';

/** One delivery, those that wait for a finished one, or all of a webhook may be ready. */
type ReadySignal =
  | { readonly webhook: WebhookRef; readonly deliveryId?: string }
  | { readonly deliveryId: string }
  | { readonly finishedId: string };

export const SIGNALLING: ReadonlySet<string> = new Set<(DeliveryEvent | EndpointEvent)['type']>([
  'DeliveryCreated',
  'DeliveryAttemptFailed',
  'DeliveryBecameDue',
  'DeliverySucceeded',
  'DeliveryCancelled',
  'DeliveryRequeued',
  'WebhookResumed',
  'WebhookUpdated',
  'WebhookSecretRotated',
]);

/** May be late or wrong, because the deciders check it. */
export function readySignal(recorded: RecordedEvent): ReadySignal | undefined {
  const event = recorded as unknown as DeliveryEvent | EndpointEvent;
  switch (event.type) {
    case 'DeliveryCreated':
      return { webhook: event.data, deliveryId: event.data.deliveryId };
    case 'DeliveryAttemptFailed':
      if (event.data.again === 'later') return undefined;
      return event.data.again === 'now'
        ? { deliveryId: idOf(recorded.stream) }
        : { finishedId: idOf(recorded.stream) };
    case 'DeliverySucceeded':
    case 'DeliveryCancelled':
      return { finishedId: idOf(recorded.stream) };
    case 'DeliveryBecameDue':
    case 'DeliveryRequeued':
      return { deliveryId: idOf(recorded.stream) };
    // A new address or secret may end the failures of waiting deliveries.
    case 'WebhookResumed':
    case 'WebhookUpdated':
    case 'WebhookSecretRotated':
      return { webhook: { accountId: idOf(recorded.stream), webhookId: event.data.webhookId } };
    default:
      return undefined;
  }
}
