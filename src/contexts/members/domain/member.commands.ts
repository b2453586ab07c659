import { Command, type Outcome } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { SealedSecret } from '../../../kernel/sealing.js';
import type { Instant } from '../../../kernel/time.js';
import type { MemberDetails, MemberEvent, MemberRole } from './member.events.js';

type Rejected<Code extends string> = { readonly code: Code };
export type MemberRejection = Rejected<'MemberNotFound' | 'NameTaken' | 'LastOwner' | 'MemberLimitReached'>;

type MemberOutcome<Code extends MemberRejection['code']> = Outcome<unknown, MemberEvent, Rejected<Code>>;

/** Adds a person without a password: the first sign-in is by link. */
export class InviteMember extends Command<MemberOutcome<'NameTaken' | 'MemberLimitReached'>> {
  readonly kind = 'InviteMember';
  constructor(
    readonly accountId: string,
    readonly memberId: string,
    readonly details: MemberDetails,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Ends all sessions of the member but `keptSession`. */
export class SetMemberPassword extends Command<MemberOutcome<'MemberNotFound'>> {
  readonly kind = 'SetMemberPassword';
  constructor(
    readonly accountId: string,
    readonly memberId: string,
    readonly password: SealedSecret,
    readonly keptSession: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class ChangeMemberRole extends Command<MemberOutcome<'MemberNotFound' | 'LastOwner'>> {
  readonly kind = 'ChangeMemberRole';
  constructor(
    readonly accountId: string,
    readonly memberId: string,
    readonly role: MemberRole,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Ends every session of this generation and of older ones, unless that was done already. */
export class EndMemberSessions extends Command<MemberOutcome<'MemberNotFound'>> {
  readonly kind = 'EndMemberSessions';
  constructor(
    readonly accountId: string,
    readonly memberId: string,
    readonly generation: number,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class RemoveMember extends Command<MemberOutcome<'MemberNotFound' | 'LastOwner'>> {
  readonly kind = 'RemoveMember';
  constructor(
    readonly accountId: string,
    readonly memberId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type MemberCommand =
  InviteMember | SetMemberPassword | ChangeMemberRole | EndMemberSessions | RemoveMember;
