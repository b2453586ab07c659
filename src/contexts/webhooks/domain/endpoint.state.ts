import type { SealedSecret } from '../../../kernel/sealing.js';
import type { Instant } from '../../../kernel/time.js';
import type {
  EndpointEvent,
  EndpointEventData,
  PublicEventType,
  WebhookSettings,
} from './endpoint.events.js';

export interface Webhook extends WebhookSettings {
  readonly webhookId: string;
  readonly accountId: string;
  readonly status: 'active' | 'paused';
  readonly secret: SealedSecret;
  readonly secretVersion: number;
  readonly previous?: { readonly secret: SealedSecret; readonly until: Instant };
  readonly lastTestId?: string;
}

export interface Endpoints {
  /** In the order of creation, without deleted ones. */
  readonly webhooks: Readonly<Record<string, Webhook>>;
  readonly unsettled: readonly string[];
}

export const noEndpoints: Endpoints = { webhooks: {}, unsettled: [] };

export function webhookOf(endpoints: Endpoints, webhookId: string): Webhook | undefined {
  return Object.hasOwn(endpoints.webhooks, webhookId) ? endpoints.webhooks[webhookId] : undefined;
}

/** Newest first; a replaced secret signs for another 24 h. */
export function signingSecrets(webhook: Webhook, at: Instant): readonly SealedSecret[] {
  const { secret, previous } = webhook;
  return previous && at < previous.until ? [secret, previous.secret] : [secret];
}

export function subscribersTo({ webhooks }: Endpoints, type: PublicEventType): readonly Webhook[] {
  return Object.values(webhooks).filter((it) => it.status === 'active' && it.eventTypes.includes(type));
}

type Later = Exclude<EndpointEvent['type'], 'WebhookCreated' | 'WebhookDeleted' | 'WebhookSettled'>;
type Moves = { readonly [T in Later]: (data: EndpointEventData[T], before: Webhook) => Partial<Webhook> };

const moves: Moves = {
  WebhookUpdated: ({ changes }) => changes,
  WebhookSecretRotated: ({ secret, secretVersion, previousUntil }, before) => ({
    secret,
    secretVersion,
    previous: { secret: before.secret, until: previousUntil },
  }),
  WebhookPaused: () => ({ status: 'paused' }),
  WebhookResumed: () => ({ status: 'active' }),
  WebhookTestRequested: ({ testId }) => ({ lastTestId: testId }),
};

export function evolve({ webhooks, unsettled }: Endpoints, event: EndpointEvent): Endpoints {
  const { webhookId } = event.data;
  const { [webhookId]: before, ...others } = webhooks;
  switch (event.type) {
    case 'WebhookCreated': {
      const webhook: Webhook = { ...event.data, status: 'active', secretVersion: 1 };
      return { webhooks: { ...others, [webhookId]: webhook }, unsettled };
    }
    case 'WebhookDeleted':
      return { webhooks: others, unsettled: [...unsettled, webhookId] };
    case 'WebhookSettled':
      return { webhooks, unsettled: unsettled.filter((id) => id !== webhookId) };
    default: {
      if (!before) return { webhooks, unsettled };
      const move = moves[event.type] as (data: object, before: Webhook) => Partial<Webhook>;
      return {
        webhooks: { ...webhooks, [webhookId]: { ...before, ...move(event.data, before) } },
        unsettled,
      };
    }
  }
}
