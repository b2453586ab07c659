import type { CloseAccount, ProvisionAccount } from '../../contexts/accounts/index.js';
import type { RevokeComputer, UpdatePrinter } from '../../contexts/devices/index.js';
import type { SubmitJob } from '../../contexts/jobs/index.js';
import type { RejectionOf } from '../../kernel/command.js';
import { ApiError } from '../../http/errors/api-error.js';
import type { RejectionTable } from '../../http/errors/rejections.js';

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
    new ApiError('SVC_PLAN_LIMIT_REACHED', `The plan's ${jobsPerMonth} jobs of this month are used up.`),
  AccountClosed: 'ACCOUNT_CLOSED',
  PrinterNotFound: 'PRINTER_NOT_FOUND',
  VirtualPrintersOnly: 'SVC_VIRTUAL_PRINTERS_ONLY',
  PrinterNotReady: 'PRINTER_NOT_READY',
  ContentTypeNotSupported: 'CONTENT_TYPE_NOT_SUPPORTED',
};
