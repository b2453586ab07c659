import { accept, reject, type Decider, type Decision } from '../../../kernel/decider.js';
import { areAlertsOn, type AlertSettings } from './alert.rules.js';
import type {
  ChangeMemberRole,
  ChooseMemberAlerts,
  InviteMember,
  MemberCommand,
  MemberRejection,
} from './member.commands.js';
import type { MemberEvent } from './member.events.js';
import { evolve, memberOf, noMembers, type Member, type Members } from './member.state.js';

type Decided = Decision<MemberEvent, MemberRejection>;

const MAX_MEMBERS = 100;

/** One stream an account, so that two owners cannot demote each other at the same time. */
export const memberDecider: Decider<Members, MemberCommand, MemberEvent, MemberRejection> = {
  initialState: noMembers,
  evolve,

  decide(all, command) {
    if (command.kind === 'InviteMember') return invite(all, command);
    const member = memberOf(all, command.memberId);
    const { memberId } = command;
    if (!member) {
      const wasRemoved = command.kind === 'RemoveMember' && wasInvited(all, memberId);
      return wasRemoved ? accept() : reject({ code: 'MemberNotFound' });
    }
    switch (command.kind) {
      case 'SetMemberPassword': {
        const { password, keptSession } = command;
        if (member.password?.box === password.box) return accept();
        return accept({ type: 'MemberPasswordSet', data: { memberId, password, keptSession } });
      }
      case 'ChangeMemberRole':
        return changeRole(all, member, command);
      case 'EndMemberSessions':
        if (command.generation !== member.generation) return accept();
        return accept({ type: 'MemberSessionsEnded', data: { memberId } });
      case 'ChooseMemberAlerts':
        return chooseAlerts(member, command);
      case 'ChooseMemberTheme':
        if ((member.theme ?? 'system') === command.theme) return accept();
        return accept({ type: 'MemberThemeChosen', data: { memberId, theme: command.theme } });
      case 'RemoveMember':
        if (isLastOwner(all, member)) return reject({ code: 'LastOwner' });
        return accept({ type: 'MemberRemoved', data: { memberId } });
    }
  },
};

function invite(all: Members, { accountId, memberId, details }: InviteMember): Decided {
  if (wasInvited(all, memberId)) return accept();
  if (Object.hasOwn(all.names, details.name)) return reject({ code: 'NameTaken' });
  if (Object.keys(all.members).length >= MAX_MEMBERS) return reject({ code: 'MemberLimitReached' });
  return accept({ type: 'MemberInvited', data: { memberId, accountId, ...details } });
}

function changeRole(all: Members, member: Member, { memberId, role }: ChangeMemberRole): Decided {
  if (role === member.role) return accept();
  if (isLastOwner(all, member)) return reject({ code: 'LastOwner' });
  return accept({ type: 'MemberRoleChanged', data: { memberId, role } });
}

/** Alerts that stay on keep their start, so that nothing is told twice or missed. */
function chooseAlerts({ alerts }: Member, { memberId, choice, at }: ChooseMemberAlerts): Decided {
  if (alerts && isSame(alerts, { ...choice, since: alerts.since })) return accept();
  const since = alerts && areAlertsOn(alerts) ? alerts.since : at;
  return accept({ type: 'MemberAlertsChosen', data: { memberId, alerts: { ...choice, since } } });
}

const isSame = (one: AlertSettings, other: AlertSettings) => JSON.stringify(one) === JSON.stringify(other);

const wasInvited = ({ names }: Members, memberId: string) => Object.values(names).includes(memberId);

function isLastOwner({ members }: Members, member: Member): boolean {
  return (
    member.role === 'owner' &&
    Object.values(members).every((other) => other === member || other.role !== 'owner')
  );
}
