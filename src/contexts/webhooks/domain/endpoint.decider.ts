import { accept, reject, type Decider, type Decision } from '../../../kernel/decider.js';
import { plus, type Instant } from '../../../kernel/time.js';
import type {
  CreateWebhook,
  EndpointCommand,
  EndpointRejection,
  NoteWebhookRecovery,
  PauseWebhook,
  StartWebhookRecovery,
  UpdateWebhook,
} from './endpoint.commands.js';
import { PUBLIC_EVENT_TYPES, type EndpointEvent, type WebhookSettings } from './endpoint.events.js';
import { hasFailedForDays } from './health.policy.js';
import { evolve, noEndpoints, webhookOf, type Endpoints, type Webhook } from './endpoint.state.js';

export type { EndpointRejection };

type Decided = Decision<EndpointEvent, EndpointRejection>;

const MAX_WEBHOOKS = 20;
const OVERLAP_MS = 24 * 3_600_000;

/** Decides on all endpoints of an account, because their number is limited and their URLs are distinct. */
export const endpointDecider: Decider<Endpoints, EndpointCommand, EndpointEvent, EndpointRejection> = {
  initialState: noEndpoints,
  evolve,

  decide(endpoints, command) {
    const webhook = webhookOf(endpoints, command.webhookId);
    if (command.kind === 'CreateWebhook') return webhook ? accept() : create(endpoints, command);
    if (command.kind === 'SettleWebhook') return settle(endpoints, command.webhookId);
    if (!webhook) return reject({ code: 'WebhookNotFound' });
    const { webhookId } = webhook;
    switch (command.kind) {
      case 'UpdateWebhook':
        return update(endpoints, webhook, command);
      case 'PauseWebhook':
        return pause(webhook, command);
      case 'DeleteWebhook':
        return accept({ type: 'WebhookDeleted', data: { webhookId } });
      case 'RequestWebhookTest':
        if (webhook.lastTestId === command.testId) return accept();
        if (webhook.status === 'paused') return reject({ code: 'WebhookPaused' });
        return accept({ type: 'WebhookTestRequested', data: { webhookId, testId: command.testId } });
      case 'StartWebhookRecovery':
        return startRecovery(webhook, command);
      case 'NoteWebhookRecovery':
        return noteRecovery(webhook, command);
    }
  },
};

/** A resumed webhook has days again before it is given up. */
function pause({ webhookId, status, resumedAt }: Webhook, { reason, at }: PauseWebhook): Decided {
  const isTried = reason === 'failing' && resumedAt !== undefined && !hasFailedForDays(resumedAt, at);
  if (status === 'paused' || isTried) return accept();
  return accept({ type: 'WebhookPaused', data: { webhookId, reason } });
}

function startRecovery({ webhookId, status, recovery }: Webhook, command: StartWebhookRecovery): Decided {
  const { recoveryId, interval, events } = command;
  if (recovery?.recoveryId === recoveryId) return accept();
  if (status === 'paused') return reject({ code: 'WebhookPaused' });
  if (recovery) return reject({ code: 'RecoveryRunning' });
  const counted = events !== undefined && { events };
  return accept({ type: 'WebhookRecoveryStarted', data: { webhookId, recoveryId, ...interval, ...counted } });
}

function noteRecovery({ webhookId, recovery }: Webhook, command: NoteWebhookRecovery): Decided {
  const { recoveryId, recovered, upTo } = command;
  if (recovery?.recoveryId !== recoveryId) return accept();
  const data = { webhookId, recoveryId, recovered };
  if (upTo === undefined) return accept({ type: 'WebhookRecoveryFinished', data });
  const isKnown = recovery.upTo === upTo && recovery.recovered === recovered;
  return isKnown ? accept() : accept({ type: 'WebhookRecoveryAdvanced', data: { ...data, upTo } });
}

function settle({ unsettled }: Endpoints, webhookId: string): Decided {
  return unsettled.includes(webhookId) ? accept({ type: 'WebhookSettled', data: { webhookId } }) : accept();
}

function create(endpoints: Endpoints, { accountId, webhookId, settings, secret }: CreateWebhook): Decided {
  const eventTypes = inOrder(settings.eventTypes);
  if (eventTypes.length === 0) return reject({ code: 'EventTypesMissing' });
  const others = Object.values(endpoints.webhooks);
  if (others.some(({ target }) => target === settings.target)) return reject({ code: 'WebhookDuplicate' });
  if (others.length >= MAX_WEBHOOKS) return reject({ code: 'WebhookLimitReached' });
  const data = { webhookId, accountId, ...settings, eventTypes, secret };
  return accept({ type: 'WebhookCreated', data });
}

function update(endpoints: Endpoints, webhook: Webhook, { changes, at }: UpdateWebhook): Decided {
  const { status, secret, recovery, ...settings } = changes;
  const { webhookId } = webhook;
  if (settings.eventTypes?.length === 0) return reject({ code: 'EventTypesMissing' });
  const others = Object.values(endpoints.webhooks).filter((other) => other !== webhook);
  if (others.some(({ target }) => target === settings.target)) return reject({ code: 'WebhookDuplicate' });

  const events: EndpointEvent[] = [];
  const changed = differing(settings, webhook);
  if (changed) events.push({ type: 'WebhookUpdated', data: { webhookId, changes: changed } });
  if (secret && secret.box !== webhook.secret.box) {
    const data = { webhookId, secret, secretVersion: webhook.secretVersion + 1 };
    events.push({ type: 'WebhookSecretRotated', data: { ...data, previousUntil: plus(at, OVERLAP_MS) } });
  }
  if (status === 'paused' && webhook.status === 'active') {
    events.push({ type: 'WebhookPaused', data: { webhookId, reason: 'requested' } });
  }
  if (status === 'active' && webhook.status === 'paused') {
    if (recovery && webhook.recovery) return reject({ code: 'RecoveryRunning' });
    events.push(...resume({ ...webhook, ...changed }, recovery, at));
  }
  return accept(...events);
}

function resume(
  { webhookId, eventTypes: types }: Webhook,
  recovery: UpdateWebhook['changes']['recovery'],
  resumedAt: Instant,
): readonly EndpointEvent[] {
  const resumed: EndpointEvent = { type: 'WebhookResumed', data: { webhookId, resumedAt } };
  if (!recovery) return [resumed];
  const eventTypes = types.filter((type) => type !== 'webhook.test');
  const data = { webhookId, ...recovery, eventTypes, includeDelivered: false };
  return [resumed, { type: 'WebhookRecoveryStarted', data }];
}

function differing(wanted: Partial<WebhookSettings>, webhook: Webhook): Partial<WebhookSettings> | undefined {
  const { url, target, description, eventTypes, ordered } = wanted;
  const types = eventTypes && inOrder(eventTypes);
  const changes: Partial<WebhookSettings> = {
    ...(url !== undefined && target !== undefined && url !== webhook.url && { url, target }),
    ...(description !== undefined && description !== webhook.description && { description }),
    ...(types && types.join() !== webhook.eventTypes.join() && { eventTypes: types }),
    ...(ordered !== undefined && ordered !== (webhook.ordered ?? false) && { ordered }),
  };
  return Object.keys(changes).length > 0 ? changes : undefined;
}

function inOrder(types: WebhookSettings['eventTypes']): WebhookSettings['eventTypes'] {
  return PUBLIC_EVENT_TYPES.filter((type) => types.includes(type));
}
