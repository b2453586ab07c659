import * as delivery from '../../../src/contexts/webhooks/domain/delivery.commands.js';
import type {
  AttemptResult,
  DeliveryEvent,
  DeliveryEventData,
} from '../../../src/contexts/webhooks/domain/delivery.events.js';
import * as endpoint from '../../../src/contexts/webhooks/domain/endpoint.commands.js';
import {
  PUBLIC_EVENT_TYPES,
  type EndpointEvent,
  type PausedReason,
  type RecoveryInterval,
  type WebhookSettings,
} from '../../../src/contexts/webhooks/domain/endpoint.events.js';
import type { SealedSecret } from '../../../src/kernel/sealing.js';
import { plus } from '../../../src/kernel/time.js';
import { NOON } from '../recorded.js';
import { ACCOUNT_ID, JOB_STREAM } from './jobs.js';

export { ACCOUNT_ID };
export const WEBHOOK_ID = '019aa000-0000-7000-8000-0000000000e1';
export const OTHER_ID = '019aa000-0000-7000-8000-0000000000e2';
export const TEST_ID = '019aa000-0000-7000-8000-0000000000e3';
export const DELIVERY_ID = '019aa000-0000-5000-8000-0000000000e4';
export const EVENT_ID = '019aa000-0000-7000-8000-0000000000e5';
export const WEBHOOKS_STREAM = `webhooks-${ACCOUNT_ID}`;
export const DELIVERY_STREAM = `delivery-${DELIVERY_ID}`;

const by = { actor: { kind: 'api_key', id: 'key' }, correlationId: 'correlation-1' } as const;
export const later = (ms: number) => plus(NOON, ms);

export const sealed = (box = 'first'): SealedSecret => ({ keyId: 'key-1', box });
export const settings: WebhookSettings = {
  url: 'https://hooks.example.com',
  target: 'https://hooks.example.com/',
  description: 'orders',
  eventTypes: PUBLIC_EVENT_TYPES,
};
/** Settings of another webhook. */
export const elsewhere = (name: string): WebhookSettings => {
  const url = `https://${name}.example.com/`;
  return { url, target: url, eventTypes: ['job.failed'] };
};

/** Endpoint events. */
export const created = (webhookId = WEBHOOK_ID, of: WebhookSettings = settings) =>
  ({
    type: 'WebhookCreated',
    data: { webhookId, accountId: ACCOUNT_ID, ...of, secret: sealed() },
  }) satisfies EndpointEvent;
export const updated = (changes: Partial<WebhookSettings>) =>
  ({ type: 'WebhookUpdated', data: { webhookId: WEBHOOK_ID, changes } }) satisfies EndpointEvent;
export const rotated = (box: string, secretVersion: number, previousUntil: string) =>
  ({
    type: 'WebhookSecretRotated',
    data: { webhookId: WEBHOOK_ID, secret: sealed(box), secretVersion, previousUntil },
  }) satisfies EndpointEvent;
export const paused = (reason: PausedReason = 'requested') =>
  ({ type: 'WebhookPaused', data: { webhookId: WEBHOOK_ID, reason } }) satisfies EndpointEvent;
export const resumed = {
  type: 'WebhookResumed',
  data: { webhookId: WEBHOOK_ID, resumedAt: NOON },
} satisfies EndpointEvent;
export const deleted = { type: 'WebhookDeleted', data: { webhookId: WEBHOOK_ID } } satisfies EndpointEvent;
export const settled = { type: 'WebhookSettled', data: { webhookId: WEBHOOK_ID } } satisfies EndpointEvent;
export const tested = (testId = TEST_ID) =>
  ({ type: 'WebhookTestRequested', data: { webhookId: WEBHOOK_ID, testId } }) satisfies EndpointEvent;

export const RECOVERY_ID = '019aa000-0000-7000-8000-0000000000e6';
export const interval: RecoveryInterval = {
  since: NOON,
  until: later(60_000),
  eventTypes: ['job.failed'],
  includeDelivered: false,
};
const recovery = { webhookId: WEBHOOK_ID, recoveryId: RECOVERY_ID };
export const recovering = (events?: number) =>
  ({
    type: 'WebhookRecoveryStarted',
    data: { ...recovery, ...interval, ...(events !== undefined && { events }) },
  }) satisfies EndpointEvent;
export const advanced = (recovered: number, upTo: string) =>
  ({ type: 'WebhookRecoveryAdvanced', data: { ...recovery, recovered, upTo } }) satisfies EndpointEvent;
export const recovered = (count: number) =>
  ({ type: 'WebhookRecoveryFinished', data: { ...recovery, recovered: count } }) satisfies EndpointEvent;

/** Endpoint commands. */
export const create = (webhookId = WEBHOOK_ID, of: WebhookSettings = settings) =>
  new endpoint.CreateWebhook({
    accountId: ACCOUNT_ID,
    webhookId,
    settings: of,
    secret: sealed(),
    at: NOON,
    by,
  });
export const update = (changes: endpoint.WebhookChanges, at = NOON, webhookId = WEBHOOK_ID) =>
  new endpoint.UpdateWebhook({ accountId: ACCOUNT_ID, webhookId, changes, at, by });
export const pauseFailing = (at: string) =>
  new endpoint.PauseWebhook({ accountId: ACCOUNT_ID, webhookId: WEBHOOK_ID, reason: 'failing', at, by });
export const pauseGone = new endpoint.PauseWebhook({
  accountId: ACCOUNT_ID,
  webhookId: WEBHOOK_ID,
  reason: 'endpoint_gone',
  at: NOON,
  by,
});
export const remove = new endpoint.DeleteWebhook({
  accountId: ACCOUNT_ID,
  webhookId: WEBHOOK_ID,
  at: NOON,
  by,
});
export const settle = new endpoint.SettleWebhook({
  accountId: ACCOUNT_ID,
  webhookId: WEBHOOK_ID,
  at: NOON,
  by,
});
export const test = (testId = TEST_ID) =>
  new endpoint.RequestWebhookTest({ accountId: ACCOUNT_ID, webhookId: WEBHOOK_ID, testId, at: NOON, by });

export const recover = (recoveryId = RECOVERY_ID, events?: number) =>
  new endpoint.StartWebhookRecovery({
    ...{ accountId: ACCOUNT_ID, webhookId: WEBHOOK_ID, recoveryId, interval, events, at: NOON, by },
  });
export const noteRecovery = (count: number, upTo?: string, recoveryId = RECOVERY_ID) =>
  new endpoint.NoteWebhookRecovery({
    ...{ accountId: ACCOUNT_ID, webhookId: WEBHOOK_ID, recoveryId, recovered: count, at: NOON, by },
    ...(upTo !== undefined && { upTo }),
  });

/** Delivery events. */
export const told: Omit<DeliveryEventData['DeliveryCreated'], 'deliveryId' | 'maxAttempts' | 'recoveryId'> = {
  accountId: ACCOUNT_ID,
  webhookId: WEBHOOK_ID,
  eventId: EVENT_ID,
  eventType: 'job.created',
  source: { stream: JOB_STREAM, revision: 0 },
};
export const ok: AttemptResult = { responseStatus: 200, durationMs: 12, responseBody: 'thanks' };
export const unwell: AttemptResult = { responseStatus: 500, durationMs: 7 };

export const deliveryCreated = {
  type: 'DeliveryCreated',
  data: { deliveryId: DELIVERY_ID, ...told, maxAttempts: 6 },
} satisfies DeliveryEvent;
export const started = (attempt = 1, trigger: 'schedule' | 'manual' = 'schedule') =>
  ({ type: 'DeliveryAttemptStarted', data: { attempt, trigger } }) satisfies DeliveryEvent;
export const succeeded = (attempt = 1) =>
  ({ type: 'DeliverySucceeded', data: { attempt, ...ok } }) satisfies DeliveryEvent;
export const failed = (attempt: number, nextAttemptAt?: string) =>
  ({
    type: 'DeliveryAttemptFailed',
    data: {
      attempt,
      ...unwell,
      failureCode: 'HTTP_STATUS',
      ...(nextAttemptAt ? { again: 'later', nextAttemptAt } : { again: 'never' }),
    },
  }) satisfies DeliveryEvent;
export const interrupted = (attempt = 1) =>
  ({
    type: 'DeliveryAttemptFailed',
    data: { attempt, failureCode: 'INTERRUPTED', durationMs: 0, again: 'now' },
  }) satisfies DeliveryEvent;
export const becameDue = { type: 'DeliveryBecameDue', data: {} } satisfies DeliveryEvent;
export const deliveryCancelled = {
  type: 'DeliveryCancelled',
  data: { reason: 'webhook_deleted' },
} satisfies DeliveryEvent;
export const requeued = {
  type: 'DeliveryRequeued',
  data: { recoveryId: RECOVERY_ID },
} satisfies DeliveryEvent;
export const deliveryRemoved = { type: 'DeliveryRemoved', data: {} } satisfies DeliveryEvent;

/** Delivery commands. */
export const deliver = new delivery.CreateDelivery({ deliveryId: DELIVERY_ID, delivery: told, at: NOON, by });
export const recoverDelivery = (includeDelivered = false, recoveryId = RECOVERY_ID) =>
  new delivery.RecoverDelivery({
    ...{ deliveryId: DELIVERY_ID, delivery: told, recoveryId, includeDelivered, at: NOON, by },
  });
export const makeDue = (attempt: number, at: string) =>
  new delivery.MakeDeliveryDue({ deliveryId: DELIVERY_ID, attempt, at, by });
export const start = (trigger: 'schedule' | 'manual' = 'schedule', at = NOON) =>
  new delivery.StartAttempt({ deliveryId: DELIVERY_ID, trigger, at, by });
export const succeed = (attempt = 1) =>
  new delivery.RecordSuccess({ deliveryId: DELIVERY_ID, attempt, result: ok, at: NOON, by });
export const fail = (attempt = 1, at = NOON, more: Partial<delivery.AttemptFailure> = {}) =>
  new delivery.RecordFailure({
    deliveryId: DELIVERY_ID,
    attempt,
    failure: { ...unwell, failureCode: 'HTTP_STATUS', ...more },
    at,
    by,
  });
export const interrupt = new delivery.InterruptAttempt({ deliveryId: DELIVERY_ID, at: NOON, by });
export const cancel = new delivery.CancelDelivery({ deliveryId: DELIVERY_ID, at: NOON, by });
export const removeDelivery = new delivery.RemoveDelivery({ deliveryId: DELIVERY_ID, at: NOON, by });
