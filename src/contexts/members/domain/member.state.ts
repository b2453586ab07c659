import type { SealedSecret } from '../../../kernel/sealing.js';
import type { AlertSettings } from './alert.rules.js';
import type { MemberDetails, MemberEvent, Theme } from './member.events.js';

export interface Member extends MemberDetails {
  readonly memberId: string;
  /** Sealed; absent until the first password is chosen. */
  readonly password?: SealedSecret;
  /** Sessions of an older generation have ended, except `keptSession`. */
  readonly generation: number;
  readonly keptSession?: string;
  /** Absent until the first choice. */
  readonly alerts?: AlertSettings;
  readonly theme?: Theme;
}

export interface Members {
  /** By member id, in the order of invitation. */
  readonly members: Readonly<Record<string, Member>>;
  /** Member ids by all present and past names. */
  readonly names: Readonly<Record<string, string>>;
}

export const noMembers: Members = { members: {}, names: {} };

export function memberOf({ members }: Members, memberId: string): Member | undefined {
  return Object.hasOwn(members, memberId) ? members[memberId] : undefined;
}

/** Excludes removed members. */
export function memberNamed(all: Members, name: string): Member | undefined {
  return Object.hasOwn(all.names, name) ? memberOf(all, all.names[name]!) : undefined;
}

export function countsSession(member: Member, sessionId: string, generation: number): boolean {
  return generation === member.generation || sessionId === member.keptSession;
}

export function evolve(all: Members, event: MemberEvent): Members {
  const { memberId } = event.data;
  if (event.type === 'MemberInvited') {
    const { accountId: _, ...details } = event.data;
    return {
      members: { ...all.members, [memberId]: { ...details, generation: 0 } },
      names: { ...all.names, [details.name]: memberId },
    };
  }
  const { [memberId]: member, ...others } = all.members;
  if (!member) return all;
  if (event.type === 'MemberRemoved') return { ...all, members: others };
  return { ...all, members: { ...all.members, [memberId]: changed(member, event) } };
}

type Change = Exclude<MemberEvent, { readonly type: 'MemberInvited' | 'MemberRemoved' }>;

function changed(whole: Member, event: Change): Member {
  const { keptSession: _, ...member } = whole;
  switch (event.type) {
    case 'MemberRoleChanged':
      return { ...whole, role: event.data.role };
    case 'MemberPasswordSet': {
      const { password, keptSession: kept } = event.data;
      return { ...member, password, keptSession: kept, generation: member.generation + 1 };
    }
    case 'MemberSessionsEnded':
      return { ...member, generation: member.generation + 1 };
    case 'MemberAlertsChosen':
      return { ...whole, alerts: event.data.alerts };
    case 'MemberThemeChosen':
      return { ...whole, theme: event.data.theme };
    default: // Of a later release.
      return whole;
  }
}
