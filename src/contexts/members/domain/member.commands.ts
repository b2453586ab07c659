import { command, type Outcome } from '../../../kernel/command.js';
import type { SealedSecret } from '../../../kernel/sealing.js';
import type { AlertChoice } from './alert.rules.js';
import type { MemberDetails, MemberEvent, MemberRole, Theme } from './member.events.js';

import type { Members } from './member.state.js';

type Rejected<Code extends string> = { readonly code: Code };
export type MemberRejection = Rejected<'MemberNotFound' | 'NameTaken' | 'LastOwner' | 'MemberLimitReached'>;

type MemberOutcome<Code extends MemberRejection['code']> = Outcome<unknown, MemberEvent, Rejected<Code>>;

/** Adds a person without a password: the first sign-in is by link. */
export class InviteMember extends command('InviteMember')<
  { accountId: string; memberId: string; details: MemberDetails },
  MemberOutcome<'NameTaken' | 'MemberLimitReached'>
> {}

export class SetMemberPassword extends command('SetMemberPassword')<
  { accountId: string; memberId: string; password: SealedSecret; keptSession: string },
  MemberOutcome<'MemberNotFound'>
> {}

export class ChangeMemberRole extends command('ChangeMemberRole')<
  { accountId: string; memberId: string; role: MemberRole },
  MemberOutcome<'MemberNotFound' | 'LastOwner'>
> {}

/** Does nothing if these sessions have ended. */
export class EndMemberSessions extends command('EndMemberSessions')<
  { accountId: string; memberId: string; generation: number },
  MemberOutcome<'MemberNotFound'>
> {}

/** Precondition: the addresses of chats passed the rules for webhook targets. */
export class ChooseMemberAlerts extends command('ChooseMemberAlerts')<
  { accountId: string; memberId: string; choice: AlertChoice },
  Outcome<Members, MemberEvent, Rejected<'MemberNotFound'>>
> {}

export class ChooseMemberTheme extends command('ChooseMemberTheme')<
  { accountId: string; memberId: string; theme: Theme },
  MemberOutcome<'MemberNotFound'>
> {}

export class RemoveMember extends command('RemoveMember')<
  { accountId: string; memberId: string },
  MemberOutcome<'MemberNotFound' | 'LastOwner'>
> {}

export type MemberCommand =
  | InviteMember
  | SetMemberPassword
  | ChangeMemberRole
  | EndMemberSessions
  | ChooseMemberAlerts
  | ChooseMemberTheme
  | RemoveMember;
