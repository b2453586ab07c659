import type { EndpointEvent, EndpointEventData } from '../../src/contexts/webhooks/domain/endpoint.events.js';
import type { Projection } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';
import { webhookEndpointsView, type WebhookDocument } from './webhook-endpoints.js';

type Later = Exclude<
  EndpointEvent['type'],
  'WebhookCreated' | 'WebhookDeleted' | 'WebhookSettled' | 'WebhookTestRequested'
>;
type Moves = {
  readonly [T in Later]: (
    data: EndpointEventData[T],
    at: Instant,
    before: WebhookDocument,
  ) => Partial<WebhookDocument>;
};

const moves: Moves = {
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
  handles: ['WebhookCreated', 'WebhookDeleted', ...(Object.keys(moves) as Later[])],
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
    const move = moves[event.type as Later] as (
      data: object,
      at: Instant,
      before: WebhookDocument,
    ) => Partial<WebhookDocument>;
    return { ...document, ...move(event.data, at, document), updated_at: at, sequence };
  },
};
