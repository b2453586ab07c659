import type { SealedSecret } from '../../../kernel/sealing.js';

/** From the fewest rights to the most. */
export const MEMBER_ROLES = ['viewer', 'developer', 'owner'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];

export interface MemberDetails {
  /** Part of the sign-in name before `@`; never given to a second person of the account. */
  readonly name: string;
  /** What other people see. */
  readonly displayName: string;
  readonly role: MemberRole;
}

type OfMember<D extends object = object> = Readonly<{ memberId: string } & D>;

export interface MemberEventData {
  readonly MemberInvited: OfMember<MemberDetails & { accountId: string }>;
  /** Ends all sessions but `keptSession`. */
  readonly MemberPasswordSet: OfMember<{ password: SealedSecret; keptSession: string }>;
  readonly MemberRoleChanged: OfMember<{ role: MemberRole }>;
  readonly MemberSessionsEnded: OfMember;
  readonly MemberRemoved: OfMember;
}

/** Events of the members of an account, which share a stream. */
export type MemberEvent = {
  [T in keyof MemberEventData]: { readonly type: T; readonly data: MemberEventData[T] };
}[keyof MemberEventData];
