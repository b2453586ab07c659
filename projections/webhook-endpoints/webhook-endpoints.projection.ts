import type { EndpointEvent, EndpointEventData } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import { changesBy, typesOf, type Moves, type Projection } from '../../src/kernel/projection.js';
import { webhookEndpointsView, type WebhookDocument } from './webhook-endpoints.js';

const moves: Moves<
  WebhookDocument,
  Omit<EndpointEventData, 'WebhookCreated' | 'WebhookDeleted' | 'WebhookSettled' | 'WebhookTestRequested'>
> = {
  WebhookUpdated: ({ changes: { url, description, eventTypes, ordered } }) => ({
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description }),
    ...(eventTypes !== undefined && { event_types: eventTypes }),
    ...(ordered !== undefined && { ordered }),
  }),
  WebhookSecretRotated: ({ secretVersion }) => ({ secret_version: secretVersion }),
  WebhookPaused: ({ reason }, at) => ({ status: 'paused', paused_reason: reason, paused_at: at }),
  WebhookResumed: () => ({ status: 'active', paused_reason: undefined, paused_at: undefined }),
  WebhookRecoveryStarted: ({ recoveryId, since, until, events }, at) => ({
    recovery: {
      recovery_id: recoveryId,
      status: 'running',
      since,
      until,
      ...(events !== undefined && { events }),
      recovered: 0,
      started_at: at,
    },
    recovery_status: 'running',
  }),
  WebhookRecoveryAdvanced: ({ recovered }, _, { recovery }) => ({
    recovery: recovery && { ...recovery, recovered },
  }),
  WebhookRecoveryFinished: ({ recovered }, at, { recovery }) => ({
    recovery: recovery && { ...recovery, status: 'finished', recovered, finished_at: at },
    recovery_status: 'finished',
  }),
};

export const webhookEndpointsProjection: Projection<WebhookDocument, EndpointEvent> = {
  view: webhookEndpointsView,
  handles: ['WebhookCreated', 'WebhookDeleted', ...typesOf(moves)],
  keysOf: ({ data }) => [data.webhookId],

  apply(document, event) {
    const { at } = event.metadata;
    const sequence = event.revision;
    if (event.type === 'WebhookCreated') {
      const { webhookId, accountId, url, description, eventTypes, ordered } = event.data;
      return {
        webhook_id: webhookId,
        account_id: accountId,
        url,
        description,
        event_types: eventTypes,
        ...(ordered !== undefined && { ordered }),
        status: 'active',
        secret_version: 1,
        created_at: at,
        updated_at: at,
        sequence,
      };
    }
    if (!document || event.type === 'WebhookDeleted') return undefined;
    return { ...document, ...changesBy(moves, event, document), updated_at: at, sequence };
  },
};
