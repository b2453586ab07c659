import type { SealedSecret } from '../../../kernel/sealing.js';
import type { Instant } from '../../../kernel/time.js';
import type {
  EndpointEvent,
  EndpointEventData,
  PublicEventType,
  RecoveryInterval,
  WebhookSettings,
} from './endpoint.events.js';

export interface Recovery extends RecoveryInterval {
  readonly recoveryId: string;
  readonly recovered: number;
  /** Events before it are done. */
  readonly upTo?: Instant;
}

export interface Webhook extends WebhookSettings {
  readonly webhookId: string;
  readonly accountId: string;
  readonly status: 'active' | 'paused';
  readonly secret: SealedSecret;
  readonly secretVersion: number;
  readonly previous?: { readonly secret: SealedSecret; readonly until: Instant };
  readonly lastTestId?: string;
  readonly resumedAt?: Instant;
  /** The one that runs. */
  readonly recovery?: Recovery;
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
  WebhookResumed: ({ resumedAt }) => ({ status: 'active', ...(resumedAt !== undefined && { resumedAt }) }),
  WebhookTestRequested: ({ testId }) => ({ lastTestId: testId }),
  WebhookRecoveryStarted: ({ recoveryId, since, until, eventTypes, includeDelivered }) => ({
    recovery: { recoveryId, since, until, eventTypes, includeDelivered, recovered: 0 },
  }),
  WebhookRecoveryAdvanced: ({ recovered, upTo }, { recovery }) => ({
    recovery: recovery && { ...recovery, recovered, upTo },
  }),
  WebhookRecoveryFinished: () => ({ recovery: undefined }),
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
