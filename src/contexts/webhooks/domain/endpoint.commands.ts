import { command, type Outcome, type CommandResult } from '../../../kernel/command.js';
import type { SealedSecret } from '../../../kernel/sealing.js';
import type { Instant } from '../../../kernel/time.js';
import type { EndpointEvent, PausedReason, RecoveryInterval, WebhookSettings } from './endpoint.events.js';

export type EndpointRejection = {
  readonly code:
    | 'WebhookNotFound'
    | 'WebhookLimitReached'
    | 'WebhookDuplicate'
    | 'WebhookPaused'
    | 'EventTypesMissing'
    | 'RecoveryRunning';
};

type OfWebhook = { accountId: string; webhookId: string };
type EndpointOutcome = Outcome<unknown, EndpointEvent, EndpointRejection>;

/** Precondition: the target passed the URL and address rules. */
export class CreateWebhook extends command('CreateWebhook')<
  OfWebhook & { settings: WebhookSettings; secret: SealedSecret },
  EndpointOutcome
> {}

export interface WebhookChanges extends Partial<WebhookSettings> {
  readonly status?: 'active' | 'paused';
  readonly secret?: SealedSecret;
  /** Starts when a paused webhook becomes active. */
  readonly recovery?: { readonly recoveryId: string; readonly since: Instant; readonly until: Instant };
}

/** All changes or none. Precondition: a new target passed the URL and address rules. */
export class UpdateWebhook extends command('UpdateWebhook')<
  OfWebhook & { changes: WebhookChanges },
  EndpointOutcome
> {}

export class PauseWebhook extends command('PauseWebhook')<
  OfWebhook & { reason: PausedReason },
  EndpointOutcome
> {}

export class DeleteWebhook extends command('DeleteWebhook')<OfWebhook, EndpointOutcome> {}

export class SettleWebhook extends command('SettleWebhook')<OfWebhook, EndpointOutcome> {}

export class RequestWebhookTest extends command('RequestWebhookTest')<
  OfWebhook & { testId: string },
  EndpointOutcome
> {}

export class StartWebhookRecovery extends command('StartWebhookRecovery')<
  OfWebhook & { recoveryId: string; interval: RecoveryInterval; events?: number | undefined },
  EndpointOutcome
> {}

/** `upTo` absent: the recovery is finished. */
export class NoteWebhookRecovery extends command('NoteWebhookRecovery')<
  OfWebhook & { recoveryId: string; recovered: number; upTo?: Instant },
  EndpointOutcome
> {}

export type EndpointCommand =
  | CreateWebhook
  | UpdateWebhook
  | PauseWebhook
  | DeleteWebhook
  | SettleWebhook
  | RequestWebhookTest
  | StartWebhookRecovery
  | NoteWebhookRecovery;

export class CancelDeliveries extends command('CancelDeliveries')<
  { accountId: string; webhookId: string },
  CommandResult<SettleWebhook>
> {}
