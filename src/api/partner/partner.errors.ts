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
  plainErrors,
  plainRefusals,
  unauthorized,
} from '../../http/errors/shared.errors.js';
import type { CloseAccount, ProvisionAccount } from '../../contexts/accounts/index.js';
import type { RevokeComputer, UpdatePrinter } from '../../contexts/devices/index.js';
import type { SubmitJob } from '../../contexts/jobs/index.js';
import type { RejectionOf } from '../../kernel/command.js';

/** Every code the Partner surface can answer. */
export const partnerErrors = {
  ...plainErrors,
  ENROLLMENT_TOKEN_INVALID: unauthorized('enrolment token'),
  AUTHORITY_OVERRIDE: forbidden(
    'The request names partner, partner_id, provider, account_id or environment.',
    'Leave it out: the credential and the path decide.',
  ),
  PLAN_LIMIT_REACHED: { ...ofAccount.planLimitReached, status: 409 },
  PUBLIC_API_DISABLED: ofAccount.apiDisabled,
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

/** The error for each rejection of a command to an account. */
export const accountRejections: RejectionTable<RejectionOf<ProvisionAccount | CloseAccount>> = {
  AccountNotFound: 'ACCOUNT_NOT_FOUND',
  AccountClosed: 'ACCOUNT_CLOSED',
};

/** The error for each rejection of a command to a device or printer. */
export const computerRejections: RejectionTable<RejectionOf<UpdatePrinter | RevokeComputer>> = {
  ComputerNotFound: 'DEVICE_NOT_FOUND',
  PrinterNotFound: 'PRINTER_NOT_FOUND',
};

/** The error for each rejection of a new job. */
export const submitRejections: RejectionTable<RejectionOf<SubmitJob>> = {
  IdempotencyConflict: 'SVC_IDEMPOTENCY_CONFLICT',
  ExpiryOutOfRange: () =>
    new ApiError('INVALID_REQUEST', 'expires_at must be in the future and at most 30 days away.'),
  ContentTooLarge: ({ maxBytes }) =>
    new ApiError('CONTENT_TOO_LARGE', `content.data must decode to at most ${maxBytes} bytes on this plan.`),
  PlanLimitReached: ({ jobsPerMonth }) =>
    new ApiError('PLAN_LIMIT_REACHED', `The plan's ${jobsPerMonth} jobs of this month are used up.`),
  AccountClosed: 'ACCOUNT_CLOSED',
  PrinterNotFound: 'PRINTER_NOT_FOUND',
  VirtualPrintersOnly: 'SVC_VIRTUAL_PRINTERS_ONLY',
  PrinterNotReady: 'PRINTER_NOT_READY',
  ContentTypeNotSupported: 'CONTENT_TYPE_NOT_SUPPORTED',
};
