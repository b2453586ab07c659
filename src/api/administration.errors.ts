import type { ApiKeyCommand } from '../contexts/accounts/index.js';
import type { DisableComputer, EnableComputer, RevokeComputer } from '../contexts/devices/index.js';
import type { ChangeMemberRole, InviteWithLink, RemoveMember } from '../contexts/members/index.js';
import { ApiError, type RejectionTable } from '../http/errors/api-error.js';
import { conflict, notFound } from '../http/errors/shared.errors.js';
import type { RejectionOf } from '../kernel/command.js';

/** Codes of the surfaces that manage members, keys and computers. */
export const administrationErrors = {
  KEY_NOT_FOUND: notFound('API key'),
  COMPUTER_NOT_FOUND: notFound('computer'),
  STATE_CONFLICT: conflict('The state of the resource does not allow this.'),
  MEMBER_NOT_FOUND: notFound('member'),
  NAME_TAKEN: conflict(
    'The account has, or had, a member of this name.',
    'Choose another name: a name is never given to a second person.',
  ),
  LAST_OWNER: conflict(
    'The last owner cannot be removed or get a lower role.',
    'Make another member an owner first.',
  ),
  MEMBER_LIMIT_REACHED: conflict('The account has 100 members.', 'Remove a member first.'),
} as const;

/** The error for each rejection of a command to the members of an account. */
export const memberRejections: RejectionTable<RejectionOf<InviteWithLink | ChangeMemberRole | RemoveMember>> =
  {
    AccountNotFound: 'ACCOUNT_NOT_FOUND',
    AccountClosed: 'ACCOUNT_CLOSED',
    MemberNotFound: 'MEMBER_NOT_FOUND',
    NameTaken: 'NAME_TAKEN',
    LastOwner: 'LAST_OWNER',
    MemberLimitReached: 'MEMBER_LIMIT_REACHED',
  };

/** The error for each rejection of a command to an API key. */
export const keyRejections: RejectionTable<RejectionOf<ApiKeyCommand>> = {
  ApiKeyNotFound: 'KEY_NOT_FOUND',
  ScopesMissing: () => new ApiError('INVALID_REQUEST', 'scopes must name at least one scope.'),
  ScopeUnknown: () => new ApiError('INVALID_REQUEST', 'scopes must hold only scopes of the catalogue.'),
};

/** The error for each rejection of a command to a computer. */
export const computerRejections: RejectionTable<
  RejectionOf<DisableComputer | EnableComputer | RevokeComputer>
> = {
  ComputerNotFound: 'COMPUTER_NOT_FOUND',
  ComputerRevoked: 'STATE_CONFLICT',
};
