import { categoryOf } from '../../../kernel/ids.js';
import { EventStore, type AggregateStore } from '../../../event-sourcing/index.js';
import type { Delivery } from '../domain/delivery.state.js';
import { publicTypeOf } from '../public-events.js';
import { type DeliveryAggregate, deliveryIdOf } from '../webhook.aggregates.js';

const ORDERED: ReadonlySet<string> = new Set(['job', 'computer']);
const FINISHED: ReadonlySet<Delivery['status']> = new Set(['delivered', 'dead_letter', 'cancelled']);
/** Events before these count as delivered: there are so many without a delivery only after a pause. */
const LOOKED_AT = 100;

/**
 * Id of the delivery for which this one has to wait: that of the newest earlier event of the same job or computer with
 * a delivery, if it is unfinished. Reads streams, because the read models may lag. @throws UnavailableError
 */
export async function unfinishedBefore(
  { webhookId, source: { stream, revision } }: Delivery,
  { events, aggregates, deliveries }: Stores,
): Promise<string | undefined> {
  if (!ORDERED.has(categoryOf(stream))) return undefined;
  const from = Math.max(0, revision - LOOKED_AT);
  const earlier = revision === 0 ? [] : await events.load(stream, { from, max: revision - from });
  for (const event of [...earlier].reverse()) {
    if (publicTypeOf(event) === undefined) continue;
    const deliveryId = deliveryIdOf(webhookId, event.id);
    const { status } = (await aggregates.load(deliveries, deliveryId)).state;
    if (status === 'absent' || status === 'removed') continue;
    return FINISHED.has(status) ? undefined : deliveryId;
  }
  return undefined;
}

interface Stores {
  readonly events: EventStore;
  readonly aggregates: AggregateStore;
  readonly deliveries: DeliveryAggregate;
}
