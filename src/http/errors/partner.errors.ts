import type { ErrorCatalogue, RefusalCodes } from './catalogue.js';
import { conflict, forbidden, notFound, ofAccount, transport, unauthorized } from './transport.errors.js';

/** What the Partner, Agent and operator surfaces have in common. */
export const plainErrors = {
  INVALID_REQUEST: transport.invalid,
  CREDENTIAL_INVALID: unauthorized('credential'),
  SCOPE_REQUIRED: forbidden('The credential lacks a required scope.', 'Use a credential with the scope.'),
  ROUTE_NOT_FOUND: transport.routeUnknown,
  METHOD_NOT_ALLOWED: transport.methodNotAllowed,
  CONTENT_TOO_LARGE: transport.contentTooLarge,
  PAYLOAD_TOO_LARGE: transport.payloadTooLarge,
  UNSUPPORTED_MEDIA_TYPE: transport.unsupportedMediaType,
  RATE_LIMIT_EXCEEDED: transport.rateLimited,
  INTERNAL_ERROR: transport.internal,
  UNAVAILABLE: transport.unavailable,
} as const satisfies ErrorCatalogue;

export const plainRefusals = {
  routeUnknown: 'ROUTE_NOT_FOUND',
  methodNotAllowed: 'METHOD_NOT_ALLOWED',
  credentialInvalid: 'CREDENTIAL_INVALID',
  rateLimited: 'RATE_LIMIT_EXCEEDED',
  scopeMissing: 'SCOPE_REQUIRED',
  payloadTooLarge: 'PAYLOAD_TOO_LARGE',
  contentTooLarge: 'CONTENT_TOO_LARGE',
  unsupportedMediaType: 'UNSUPPORTED_MEDIA_TYPE',
  malformed: 'INVALID_REQUEST',
  authorityOverride: 'INVALID_REQUEST',
  invalid: 'INVALID_REQUEST',
  internal: 'INTERNAL_ERROR',
  unavailable: 'UNAVAILABLE',
  // A request that never arrived has no path: these two are answered in the Integration shape only.
  requestTimeout: 'INVALID_REQUEST',
  headersTooLarge: 'INVALID_REQUEST',
} as const satisfies RefusalCodes<typeof plainErrors>;

/** Every code the Partner surface can answer. */
export const partnerErrors = {
  ...plainErrors,
  ENROLLMENT_TOKEN_INVALID: unauthorized('enrolment token'),
  AUTHORITY_OVERRIDE: forbidden(
    'The request names partner, partner_id, provider, account_id or environment.',
    'Leave it out: the credential and the path decide.',
  ),
  SVC_PLAN_LIMIT_REACHED: ofAccount.planLimitReached,
  SVC_ACCOUNT_SUSPENDED: ofAccount.suspended,
  SVC_VIRTUAL_PRINTERS_ONLY: ofAccount.virtualPrintersOnly,
  ACCOUNT_NOT_FOUND: notFound('account'),
  DEVICE_NOT_FOUND: notFound('device'),
  PRINTER_NOT_FOUND: notFound('printer'),
  JOB_NOT_FOUND: notFound('job'),
  SVC_IDEMPOTENCY_CONFLICT: conflict(
    'The Idempotency-Key was used with a different request.',
    'Use a new key for a new request.',
  ),
  PRINTER_NOT_READY: conflict('The printer is not online or not enabled.', 'Choose a ready printer.'),
  CONTENT_TYPE_NOT_SUPPORTED: conflict(
    'The printer cannot take this content type.',
    "Choose from the printer's capabilities.",
  ),
  ACCOUNT_CLOSED: conflict('The account is closed.', 'Provision another account.'),
} as const satisfies ErrorCatalogue;

export const partnerRefusals: RefusalCodes<typeof partnerErrors> = {
  ...plainRefusals,
  authorityOverride: 'AUTHORITY_OVERRIDE',
};
