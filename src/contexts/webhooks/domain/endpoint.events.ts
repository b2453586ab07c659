import type { EventsOf } from '../../../kernel/recorded-event.js';
import type { SealedSecret } from '../../../kernel/sealing.js';
import type { Instant } from '../../../kernel/time.js';

/** docs/reference/webhook-events.md */
export const PUBLIC_EVENT_TYPES = [
  'job.created',
  'job.queued',
  'job.leased',
  'job.accepted_by_agent',
  'job.sent_to_spooler',
  'job.spooler_completed',
  'job.failed',
  'job.manual_review',
  'job.cancelled',
  'job.expired',
  'computer.registered',
  'computer.pending',
  'computer.online',
  'computer.offline',
  'computer.disabled',
  'computer.revoked',
  'printer.detected',
  'printer.online',
  'printer.offline',
  'printer.removed',
  'printer.disabled',
  'printer.updated',
  'webhook.test',
] as const;

export type PublicEventType = (typeof PUBLIC_EVENT_TYPES)[number];
export type WebhookStatus = 'active' | 'paused' | 'deleted';
/** `requested`: by its owner. `endpoint_gone`: answered 410. `backlog_full`, `failing`: see `health.policy.ts`. */
export const PAUSED_REASONS = ['requested', 'endpoint_gone', 'backlog_full', 'failing'] as const;
export type PausedReason = (typeof PAUSED_REASONS)[number];

export interface WebhookTarget {
  /** As entered by its owner. */
  readonly url: string;
  /** Normalised by WHATWG URL, for comparison and requests. */
  readonly target: string;
}

export interface WebhookSettings extends WebhookTarget {
  /** At most 160 characters. */
  readonly description?: string;
  /** In the order of the catalogue, each once. */
  readonly eventTypes: readonly PublicEventType[];
  /** One delivery of a job or computer at a time, in the order of its events. */
  readonly ordered?: boolean;
}

/** The events that a recovery covers; both times are inclusive. */
export interface RecoveryInterval {
  readonly since: Instant;
  readonly until: Instant;
  /** Without `webhook.test`. */
  readonly eventTypes: readonly PublicEventType[];
  /** Sends delivered events again. */
  readonly includeDelivered: boolean;
}

type OfWebhook<D extends object = object> = Readonly<{ webhookId: string } & D>;

export interface EndpointEventData {
  readonly WebhookCreated: OfWebhook<WebhookSettings & { accountId: string; secret: SealedSecret }>;
  readonly WebhookUpdated: OfWebhook<{ changes: Partial<WebhookSettings> }>;
  /** The previous secret also signs until then. */
  readonly WebhookSecretRotated: OfWebhook<{
    secret: SealedSecret;
    secretVersion: number;
    previousUntil: Instant;
  }>;
  readonly WebhookPaused: OfWebhook<{ reason: PausedReason }>;
  /** Earlier releases stored no time. */
  readonly WebhookResumed: OfWebhook<{ resumedAt?: Instant }>;
  readonly WebhookDeleted: OfWebhook;
  /** The pending deliveries of the deleted webhook are cancelled. */
  readonly WebhookSettled: OfWebhook;
  /** Published as `webhook.test`; `testId` distinguishes a repeated request from a new one. */
  readonly WebhookTestRequested: OfWebhook<{ testId: string }>;
  /** `events`: the number of missed events, if it was counted. */
  readonly WebhookRecoveryStarted: OfWebhook<RecoveryInterval & { recoveryId: string; events?: number }>;
  /** Events before `upTo` are done. */
  readonly WebhookRecoveryAdvanced: OfWebhook<{ recoveryId: string; recovered: number; upTo: Instant }>;
  readonly WebhookRecoveryFinished: OfWebhook<{ recoveryId: string; recovered: number }>;
}

export type EndpointEvent = EventsOf<EndpointEventData>;
