import type { EventsOf } from '../../../kernel/recorded-event.js';
import type { SealedSecret } from '../../../kernel/sealing.js';
import type { AlertSettings } from './alert.rules.js';

/** From the fewest rights to the most. */
export const MEMBER_ROLES = ['viewer', 'developer', 'owner'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Colours of the pages; those of the system unless others are chosen. */
export const THEMES = ['system', 'light', 'dark'] as const;

export type Theme = (typeof THEMES)[number];

export interface MemberDetails {
  /** Sign-in name before `@`; never given to a second person of the account. */
  readonly name: string;
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
  /** Replaces the earlier choice. */
  readonly MemberAlertsChosen: OfMember<{ alerts: AlertSettings }>;
  readonly MemberThemeChosen: OfMember<{ theme: Theme }>;
  readonly MemberRemoved: OfMember;
}

export type MemberEvent = EventsOf<MemberEventData>;
