import type { EventStore } from '../../event-sourcing/index.js';
import { streamOf } from '../../kernel/ids.js';
import type { EndpointEvent } from './domain/endpoint.events.js';
import { endpoints } from './webhook.aggregates.js';

/** Ids of all webhooks that the account has ever had, because deliveries of deleted ones stay. */
export async function createdWebhooks(events: EventStore, accountId: string): Promise<readonly string[]> {
  const stored = await events.load(streamOf(endpoints.category, accountId));
  return (stored as unknown as readonly EndpointEvent[]).flatMap((event) =>
    event.type === 'WebhookCreated' ? [event.data.webhookId] : [],
  );
}
