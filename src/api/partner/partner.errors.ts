import type { ErrorCatalogue, RefusalCodes } from '../../http/errors/api-error.js';
import {
  conflict,
  forbidden,
  notFound,
  ofAccount,
  plainErrors,
  plainRefusals,
  unauthorized,
} from '../../http/errors/shared.errors.js';

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

declare module '../../http/errors/api-error.js' {
  interface SurfaceCodes {
    partner: keyof typeof partnerErrors;
  }
}
