import { ApiError, type ErrorCatalogue, type RejectionTable } from '../../http/errors/api-error.js';
import { conflict, notFound, plainErrors } from '../../http/errors/shared.errors.js';
import { administrationErrors } from '../administration.errors.js';
import type {
  AccountCommand,
  PartnerCredentialCommand,
  RegisterAccount,
} from '../../contexts/accounts/index.js';
import type { RejectionOf } from '../../kernel/command.js';

/** Every code the operator surface can answer. */
export const operatorErrors = {
  ...plainErrors,
  ...administrationErrors,
  ACCOUNT_NOT_FOUND: notFound('account'),
  PARTNER_NOT_FOUND: notFound('partner'),
  CREDENTIAL_NOT_FOUND: notFound('credential'),
  STREAM_NOT_FOUND: notFound('stream'),
  VIEW_NOT_FOUND: notFound('view'),
  JOB_NOT_FOUND: notFound('job'),
  CONTENT_NOT_FOUND: notFound('content'),
  CONTENT_DAMAGED: {
    status: 404,
    retryable: false,
    cause: 'The stored document does not have the hash of its job.',
    remedy: 'Put the document back from a backup, or let the client send the job again.',
  },
  SLUG_TAKEN: conflict('Another account or partner has this slug.', 'Choose another slug.'),
  ACCOUNT_CLOSED: conflict('The account is closed; that is final.'),
  WORKER_RUNNING: conflict(
    'Timers and webhooks could act on events that are only half there.',
    'Import through an instance with ROLE=api, while no worker runs.',
  ),
  STREAM_DIFFERS: conflict(
    'The stream holds other events here than those to be imported.',
    'Import into stores that have not been used, or that were filled by this import alone.',
  ),
  CONTENT_MISMATCH: {
    status: 422,
    retryable: false,
    cause: 'content_hash is not that of the job.',
    remedy: 'Export the content again.',
  },
} as const satisfies ErrorCatalogue;

declare module '../../http/errors/api-error.js' {
  interface SurfaceCodes {
    operator: keyof typeof operatorErrors;
  }
}

/** The error for each rejection of a command to an account or a partner credential. */
export const accountRejections: RejectionTable<
  RejectionOf<RegisterAccount | AccountCommand | PartnerCredentialCommand>
> = {
  AccountNotFound: 'ACCOUNT_NOT_FOUND',
  AccountClosed: 'ACCOUNT_CLOSED',
  SlugTaken: 'SLUG_TAKEN',
  PartnerCredentialNotFound: 'CREDENTIAL_NOT_FOUND',
  ScopesMissing: () => new ApiError('INVALID_REQUEST', 'scopes must name at least one scope.'),
  ScopeUnknown: () => new ApiError('INVALID_REQUEST', 'scopes must hold only scopes of the catalogue.'),
  ScopeNotForTest: () =>
    new ApiError('INVALID_REQUEST', 'scopes of a test credential must be diagnostics:read alone.'),
};
