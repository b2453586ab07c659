import {
  ApiError,
  type ErrorCatalogue,
  type RefusalCodes,
  type RejectionTable,
} from '../../http/errors/api-error.js';
import {
  conflict,
  forbidden,
  notFound,
  ofAccount,
  transport,
  unauthorized,
} from '../../http/errors/shared.errors.js';
import type { CancelJob, SubmitJob, SubmitRetry } from '../../contexts/jobs/index.js';
import type { DeliveryRejection, EndpointRejection } from '../../contexts/webhooks/index.js';
import type { RejectionOf } from '../../kernel/command.js';

/** Every code the Integration surface can answer. */
export const integrationErrors = {
  SVC_VALIDATION_FAILED: transport.invalid,
  API_KEY_INVALID: unauthorized('API key'),
  SVC_PLAN_LIMIT_REACHED: ofAccount.planLimitReached,
  API_KEY_SCOPE_INSUFFICIENT: forbidden('The key lacks a required scope.', 'Use a key with the scope.'),
  SVC_ACCOUNT_SUSPENDED: ofAccount.suspended,
  SVC_VIRTUAL_PRINTERS_ONLY: ofAccount.virtualPrintersOnly,
  SVC_ROUTE_NOT_FOUND: transport.routeUnknown,
  SVC_JOB_NOT_FOUND: notFound('job'),
  SVC_COMPUTER_NOT_FOUND: notFound('computer'),
  SVC_PRINTER_NOT_FOUND: notFound('printer'),
  SVC_WEBHOOK_NOT_FOUND: notFound('webhook'),
  SVC_DELIVERY_NOT_FOUND: notFound('delivery'),
  SVC_METHOD_NOT_ALLOWED: transport.methodNotAllowed,
  SVC_REQUEST_TIMEOUT: transport.requestTimeout,
  SVC_JOB_IDEMPOTENCY_CONFLICT: conflict(
    'The Idempotency-Key was used with a different request.',
    'Use a new key for a new request.',
  ),
  SVC_JOB_RETRY_DUPLICATION_RISK: conflict(
    'A retry could print the document twice.',
    'Wait for the outcome of the job.',
  ),
  SVC_JOB_STATE_CONFLICT: conflict(
    'The state of the job does not allow this.',
    'Read the job (can_cancel, can_retry).',
  ),
  SVC_PRINTER_NOT_READY: conflict('The printer is not online or not enabled.', 'Choose a ready printer.'),
  SVC_CONTENT_TYPE_NOT_SUPPORTED: conflict(
    'The printer cannot take this content type.',
    "Choose from the printer's capabilities.",
  ),
  SVC_WEBHOOK_LIMIT_REACHED: conflict('The account has 20 webhooks already.', 'Delete one first.'),
  SVC_WEBHOOK_DUPLICATE: conflict('Another webhook has this URL.', 'Update that webhook.'),
  SVC_WEBHOOK_PAUSED: conflict('The webhook is paused.', 'Make it active first.'),
  SVC_DELIVERY_STATE_CONFLICT: conflict(
    'Only deliveries in retry_scheduled or dead_letter are tried again.',
    'Read the delivery.',
  ),
  SVC_CONTENT_TOO_LARGE: transport.contentTooLarge,
  SVC_PAYLOAD_TOO_LARGE: transport.payloadTooLarge,
  SVC_UNSUPPORTED_MEDIA_TYPE: transport.unsupportedMediaType,
  RATE_LIMIT_EXCEEDED: transport.rateLimited,
  SVC_HEADERS_TOO_LARGE: transport.headersTooLarge,
  SVC_INTERNAL_ERROR: transport.internal,
  SVC_UNAVAILABLE: transport.unavailable,
  SVC_PUBLIC_API_DISABLED: ofAccount.apiDisabled,
} as const satisfies ErrorCatalogue;

export const integrationRefusals: RefusalCodes<typeof integrationErrors> = {
  routeUnknown: 'SVC_ROUTE_NOT_FOUND',
  methodNotAllowed: 'SVC_METHOD_NOT_ALLOWED',
  credentialInvalid: 'API_KEY_INVALID',
  rateLimited: 'RATE_LIMIT_EXCEEDED',
  scopeMissing: 'API_KEY_SCOPE_INSUFFICIENT',
  payloadTooLarge: 'SVC_PAYLOAD_TOO_LARGE',
  contentTooLarge: 'SVC_CONTENT_TOO_LARGE',
  unsupportedMediaType: 'SVC_UNSUPPORTED_MEDIA_TYPE',
  malformed: 'SVC_VALIDATION_FAILED',
  authorityOverride: 'SVC_VALIDATION_FAILED',
  invalid: 'SVC_VALIDATION_FAILED',
  internal: 'SVC_INTERNAL_ERROR',
  unavailable: 'SVC_UNAVAILABLE',
  requestTimeout: 'SVC_REQUEST_TIMEOUT',
  headersTooLarge: 'SVC_HEADERS_TOO_LARGE',
};

declare module '../../http/errors/api-error.js' {
  interface SurfaceCodes {
    integration: keyof typeof integrationErrors;
  }
}

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
