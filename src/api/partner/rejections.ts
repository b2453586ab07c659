import type { AccountRejection, Registered } from '../../contexts/accounts/index.js';
import type { ComputerRejection } from '../../contexts/devices/index.js';
import type { SubmitRejection } from '../../contexts/jobs/index.js';
import { ApiError } from '../../http/errors/api-error.js';
import type { RejectionTable } from '../../http/errors/rejections.js';

type RegistrationRejection = Extract<Registered, { ok: false }>['rejection'];

/** How this surface says what the accounts context refuses. */
export const accountRejections: RejectionTable<AccountRejection | RegistrationRejection> = {
  AccountNotFound: 'ACCOUNT_NOT_FOUND',
  AccountClosed: 'ACCOUNT_CLOSED',
  SlugTaken: 'INTERNAL_ERROR',
};

/** How this surface says what the devices context refuses; sessions and inventories are the agents' business. */
export const computerRejections: RejectionTable<ComputerRejection> = {
  ComputerNotFound: 'DEVICE_NOT_FOUND',
  PrinterNotFound: 'PRINTER_NOT_FOUND',
  ComputerRevoked: 'INTERNAL_ERROR',
  InstallationMismatch: 'INTERNAL_ERROR',
  PrinterKeyRepeated: 'INTERNAL_ERROR',
  PrinterIdsMissing: 'INTERNAL_ERROR',
};

/** How this surface says why a job is not taken. */
export const submitRejections: RejectionTable<SubmitRejection> = {
  IdempotencyConflict: 'SVC_IDEMPOTENCY_CONFLICT',
  ExpiryOutOfRange: () =>
    new ApiError('INVALID_REQUEST', 'expires_at must be in the future and at most 30 days away.'),
  ContentTooLarge: ({ maxBytes }) =>
    new ApiError('CONTENT_TOO_LARGE', `content.data must decode to at most ${maxBytes} bytes on this plan.`),
  PlanLimitReached: ({ jobsPerMonth }) =>
    new ApiError('SVC_PLAN_LIMIT_REACHED', `The plan's ${jobsPerMonth} jobs of this month are used up.`),
  AccountClosed: 'ACCOUNT_CLOSED',
  PrinterNotFound: 'PRINTER_NOT_FOUND',
  VirtualPrintersOnly: 'SVC_VIRTUAL_PRINTERS_ONLY',
  PrinterNotReady: 'PRINTER_NOT_READY',
  ContentTypeNotSupported: 'CONTENT_TYPE_NOT_SUPPORTED',
};
