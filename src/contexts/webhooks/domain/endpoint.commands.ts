import { Command, type Outcome } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { SealedSecret } from '../../../kernel/sealing.js';
import type { Instant } from '../../../kernel/time.js';
import type { EndpointEvent, PausedReason, WebhookSettings } from './endpoint.events.js';

export type EndpointRejection = {
  readonly code:
    'WebhookNotFound' | 'WebhookLimitReached' | 'WebhookDuplicate' | 'WebhookPaused' | 'EventTypesMissing';
};

type EndpointOutcome = Outcome<unknown, EndpointEvent, EndpointRejection>;

/** The target has passed the URL and address rules; the secret is sealed for this account and webhook. */
export class CreateWebhook extends Command<EndpointOutcome> {
  readonly kind = 'CreateWebhook';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly settings: WebhookSettings,
    readonly secret: SealedSecret,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export interface WebhookChanges extends Partial<WebhookSettings> {
  readonly status?: 'active' | 'paused';
  /** The new secret of a rotation. */
  readonly secret?: SealedSecret;
}

/** Applies all changes or none. A new target has passed the URL and address rules. */
export class UpdateWebhook extends Command<EndpointOutcome> {
  readonly kind = 'UpdateWebhook';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly changes: WebhookChanges,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class PauseWebhook extends Command<EndpointOutcome> {
  readonly kind = 'PauseWebhook';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly reason: PausedReason,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class DeleteWebhook extends Command<EndpointOutcome> {
  readonly kind = 'DeleteWebhook';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** The deleted webhook has no pending delivery. */
export class SettleWebhook extends Command<EndpointOutcome> {
  readonly kind = 'SettleWebhook';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class RequestWebhookTest extends Command<EndpointOutcome> {
  readonly kind = 'RequestWebhookTest';
  constructor(
    readonly accountId: string,
    readonly webhookId: string,
    readonly testId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type EndpointCommand =
  CreateWebhook | UpdateWebhook | PauseWebhook | DeleteWebhook | SettleWebhook | RequestWebhookTest;
