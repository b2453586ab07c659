import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { PausedReason, SealedSecret, WebhookSettings } from './endpoint.events.js';

/** The target has passed the URL and address rules; the secret was sealed for this account and webhook. */
export class CreateWebhook {
  readonly kind = 'CreateWebhook';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly settings: WebhookSettings,
    readonly secret: SealedSecret,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export interface WebhookChanges extends Partial<WebhookSettings> {
  readonly status?: 'active' | 'paused';
  /** Rotates: the new secret. */
  readonly secret?: SealedSecret;
}

/** All of it or nothing. A new target has passed the URL and address rules. */
export class UpdateWebhook {
  readonly kind = 'UpdateWebhook';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly changes: WebhookChanges,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class PauseWebhook {
  readonly kind = 'PauseWebhook';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly reason: PausedReason,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class DeleteWebhook {
  readonly kind = 'DeleteWebhook';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** Nothing is on its way to the deleted webhook any more. */
export class SettleWebhook {
  readonly kind = 'SettleWebhook';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class RequestWebhookTest {
  readonly kind = 'RequestWebhookTest';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly testId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export type EndpointCommand =
  CreateWebhook | UpdateWebhook | PauseWebhook | DeleteWebhook | SettleWebhook | RequestWebhookTest;
