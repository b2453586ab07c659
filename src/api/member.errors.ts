import type { RejectionTable } from '../http/errors/api-error.js';
import { conflict, notFound } from '../http/errors/shared.errors.js';
import type { ChangeMemberRole, InviteWithLink, RemoveMember } from '../contexts/members/index.js';
import type { RejectionOf } from '../kernel/command.js';

/** Codes of the surfaces that manage members. */
export const memberErrors = {
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
