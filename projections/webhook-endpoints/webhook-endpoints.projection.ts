import type { EndpointEvent, EndpointEventData } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import type { Projection } from '../../src/kernel/projection.js';
import { webhookEndpointsView, type WebhookDocument } from './webhook-endpoints.js';

type Later = Exclude<
  EndpointEvent['type'],
  'WebhookCreated' | 'WebhookDeleted' | 'WebhookSettled' | 'WebhookTestRequested'
>;
type Moves = { readonly [T in Later]: (data: EndpointEventData[T]) => Partial<WebhookDocument> };

const moves: Moves = {
  WebhookUpdated: ({ changes: { url, description, eventTypes } }) => ({
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(eventTypes !== undefined && { event_types: eventTypes }),
  }),
  WebhookSecretRotated: ({ secretVersion }) => ({ secret_version: secretVersion }),
  WebhookPaused: ({ reason }) => ({ status: 'paused', paused_reason: reason }),
  WebhookResumed: () => ({ status: 'active', paused_reason: undefined }),
};

export const webhookEndpointsProjection: Projection<WebhookDocument, EndpointEvent> = {
  view: webhookEndpointsView,
  handles: ['WebhookCreated', 'WebhookDeleted', ...(Object.keys(moves) as Later[])],
  keysOf: ({ data }) => [data.webhookId],

  apply(document, event) {
    const { at } = event.metadata;
    const sequence = event.revision;
    if (event.type === 'WebhookCreated') {
      const { webhookId, accountId, url, description, eventTypes } = event.data;
      return {
        webhook_id: webhookId,
        account_id: accountId,
        url,
        description,
        event_types: eventTypes,
        status: 'active',
        secret_version: 1,
        created_at: at,
        updated_at: at,
        sequence,
      };
    }
    if (!document || event.type === 'WebhookDeleted') return undefined;
    const move = moves[event.type as Later] as (data: object) => Partial<WebhookDocument>;
    return { ...document, ...move(event.data), updated_at: at, sequence };
  },
};
