import { LRUCache } from 'lru-cache';
import { growingTo } from '../../../kernel/cache-size.js';
import { streamOf } from '../../../kernel/ids.js';
import type { Origin, Position, RecordedEvent } from '../../../kernel/recorded-event.js';
import type { EndpointEvent, PublicEventType } from '../domain/endpoint.events.js';
import {
  evolve,
  noEndpoints,
  subscribersTo,
  webhookOf,
  type Endpoints,
  type Webhook,
} from '../domain/endpoint.state.js';
import type { EventStore } from '../../../event-sourcing/index.js';

export interface PendingDelivery {
  readonly event: RecordedEvent;
  readonly type: PublicEventType;
  readonly accountId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly isOrdered?: boolean | undefined;
}

/** What a delivery stores of its event. */
export function deliveryOf({ event, type: eventType, accountId, webhookId }: PendingDelivery) {
  const source = { stream: event.stream, revision: event.revision };
  return { accountId, webhookId, eventId: event.id, eventType, source };
}

interface Reached {
  readonly endpoints: Endpoints;
  readonly revision: number;
}

const CACHED_ACCOUNTS = 10_000;

/** An event goes to the webhooks active when it happened. Pass every event of the log to `see`. */
export class EndpointsAt {
  private readonly accounts = new LRUCache<string, Reached>(growingTo(CACHED_ACCOUNTS));

  constructor(private readonly events: EventStore) {}

  see(event: RecordedEvent): void {
    const before = this.accounts.peek(event.stream);
    if (before && event.revision > before.revision) this.accounts.set(event.stream, next(before, event));
  }

  async at(accountId: string, position: Position): Promise<Endpoints> {
    const stream = streamOf('webhooks', accountId);
    const known = this.accounts.get(stream);
    if (known) return known.endpoints;
    const past = (await this.events.load(stream)).filter((event) => event.position <= position);
    const reached = past.reduce<Reached>(next, { endpoints: noEndpoints, revision: -1 });
    this.accounts.set(stream, reached);
    return reached.endpoints;
  }
}

/** A test goes only to the webhook under test, whatever its event types. */
export function recipientsOf(
  { data }: Pick<RecordedEvent, 'data'>,
  type: PublicEventType,
  endpoints: Endpoints,
): readonly Webhook[] {
  if (type !== 'webhook.test') return subscribersTo(endpoints, type);
  const webhook = webhookOf(endpoints, (data as { readonly webhookId: string }).webhookId);
  return webhook?.status === 'active' ? [webhook] : [];
}

export function originOf({ id: causationId, metadata: { correlationId } }: RecordedEvent): Origin {
  return { actor: { kind: 'process', id: 'webhook-fan-out' }, correlationId, causationId };
}

function next({ endpoints }: Reached, event: RecordedEvent): Reached {
  return { endpoints: evolve(endpoints, event as unknown as EndpointEvent), revision: event.revision };
}
