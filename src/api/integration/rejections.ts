import type { CancelJob, SubmitJob, SubmitRetry } from '../../contexts/jobs/index.js';
import type { DeliveryRejection, EndpointRejection } from '../../contexts/webhooks/index.js';
import type { RejectionOf } from '../../kernel/command.js';
import { ApiError } from '../../http/errors/api-error.js';
import type { RejectionTable } from '../../http/errors/rejections.js';

/** The error for each rejection of a command to an existing job. */
export const jobRejections: RejectionTable<RejectionOf<CancelJob | SubmitRetry>> = {
  IdempotencyConflict: 'SVC_JOB_IDEMPOTENCY_CONFLICT',
  JobNotFound: 'SVC_JOB_NOT_FOUND',
  JobNotCancellable: ({ status }) =>
    new ApiError('SVC_JOB_STATE_CONFLICT', `A job that is ${status} cannot be cancelled.`),
  JobNotRetryable: ({ status }) =>
    new ApiError('SVC_JOB_STATE_CONFLICT', `A job that is ${status} cannot be retried; see can_retry.`),
  RetryDuplicationRisk: ({ status }) =>
    new ApiError(
      'SVC_JOB_RETRY_DUPLICATION_RISK',
      `A job that is ${status} may be printed; a retry could print it twice.`,
    ),
};

export const submitRejections: RejectionTable<RejectionOf<SubmitJob>> = {
  IdempotencyConflict: 'SVC_JOB_IDEMPOTENCY_CONFLICT',
  ExpiryOutOfRange: () =>
    new ApiError('SVC_VALIDATION_FAILED', 'expires_at must be in the future and at most 30 days away.'),
  ContentTooLarge: ({ maxBytes }) =>
    new ApiError(
      'SVC_CONTENT_TOO_LARGE',
      `content.data must decode to at most ${maxBytes} bytes on this plan.`,
    ),
  PlanLimitReached: ({ jobsPerMonth }) =>
    new ApiError('SVC_PLAN_LIMIT_REACHED', `The plan's ${jobsPerMonth} jobs of this month are used up.`),
  AccountClosed: 'API_KEY_INVALID',
  PrinterNotFound: 'SVC_PRINTER_NOT_FOUND',
  VirtualPrintersOnly: 'SVC_VIRTUAL_PRINTERS_ONLY',
  PrinterNotReady: 'SVC_PRINTER_NOT_READY',
  ContentTypeNotSupported: 'SVC_CONTENT_TYPE_NOT_SUPPORTED',
};

export const webhookRejections: RejectionTable<EndpointRejection | DeliveryRejection> = {
  WebhookNotFound: 'SVC_WEBHOOK_NOT_FOUND',
  WebhookLimitReached: 'SVC_WEBHOOK_LIMIT_REACHED',
  WebhookDuplicate: 'SVC_WEBHOOK_DUPLICATE',
  WebhookPaused: 'SVC_WEBHOOK_PAUSED',
  EventTypesMissing: () => new ApiError('SVC_VALIDATION_FAILED', 'event_types must not be empty.'),
  DeliveryNotFound: 'SVC_DELIVERY_NOT_FOUND',
  DeliveryStateConflict: ({ status }) =>
    new ApiError(
      'SVC_DELIVERY_STATE_CONFLICT',
      `Only deliveries in retry_scheduled or dead_letter are tried again; this one is ${status}.`,
    ),
};
