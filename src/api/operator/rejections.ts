import type {
  AccountCommand,
  ApiKeyCommand,
  PartnerCredentialCommand,
  RegisterAccount,
} from '../../contexts/accounts/index.js';
import type { DisableComputer, EnableComputer, RevokeComputer } from '../../contexts/devices/index.js';
import type { RejectionOf } from '../../kernel/command.js';
import { ApiError } from '../../http/errors/api-error.js';
import type { RejectionTable } from '../../http/errors/rejections.js';

/** The error for each rejection of a command to an account, a key or a credential. */
export const accountRejections: RejectionTable<
  RejectionOf<RegisterAccount | AccountCommand | ApiKeyCommand | PartnerCredentialCommand>
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

/** The error for each rejection of a command to a computer. */
export const computerRejections: RejectionTable<
  RejectionOf<DisableComputer | EnableComputer | RevokeComputer>
> = {
  ComputerNotFound: 'COMPUTER_NOT_FOUND',
  ComputerRevoked: 'STATE_CONFLICT',
};
