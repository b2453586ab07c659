import type {
  AccountRejection,
  ApiKeyRejection,
  PartnerCredentialRejection,
  Registered,
} from '../../contexts/accounts/index.js';
import { ApiError } from '../../http/errors/api-error.js';
import type { RejectionTable } from '../../http/errors/rejections.js';

type RegistrationRejection = Extract<Registered, { ok: false }>['rejection'];

/** How the operator hears what the accounts context refuses. */
export const accountRejections: RejectionTable<
  AccountRejection | ApiKeyRejection | PartnerCredentialRejection | RegistrationRejection
> = {
  AccountNotFound: 'ACCOUNT_NOT_FOUND',
  AccountClosed: 'ACCOUNT_CLOSED',
  SlugTaken: 'SLUG_TAKEN',
  ApiKeyNotFound: 'KEY_NOT_FOUND',
  PartnerCredentialNotFound: 'CREDENTIAL_NOT_FOUND',
  ScopesMissing: () => new ApiError('INVALID_REQUEST', 'scopes must name at least one scope.'),
  ScopeUnknown: () => new ApiError('INVALID_REQUEST', 'scopes must hold only scopes of the catalogue.'),
  ScopeNotForTest: () =>
    new ApiError('INVALID_REQUEST', 'scopes of a test credential must be diagnostics:read alone.'),
};
