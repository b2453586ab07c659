import type { AlertChoice } from '../../../src/contexts/members/domain/alert.rules.js';
import type { MemberEvent, MemberRole, Theme } from '../../../src/contexts/members/domain/member.events.js';
import * as command from '../../../src/contexts/members/domain/member.commands.js';
import type { SealedSecret } from '../../../src/kernel/sealing.js';
import { plus } from '../../../src/kernel/time.js';
import { NOON } from '../recorded.js';
import { ACCOUNT_ID } from './jobs.js';

export { ACCOUNT_ID, NOON };
export const BEA = '019aa000-0000-7000-8000-0000000000b1';
export const CARL = '019aa000-0000-7000-8000-0000000000c1';
export const SESSION_ID = '019aa000-0000-7000-8000-0000000000d1';
export const LINK_ID = BEA;

export const by = { actor: { kind: 'operator', id: 'operator' }, correlationId: 'correlation-1' } as const;
export const later = (ms: number) => plus(NOON, ms);
export const sealed = (box = 'first'): SealedSecret => ({ keyId: 'key-1', box });

export const details = (name = 'bea', role: MemberRole = 'owner') => ({ name, displayName: name, role });
export const invite = (memberId = BEA, name = 'bea', role: MemberRole = 'owner') =>
  new command.InviteMember({ accountId: ACCOUNT_ID, memberId, details: details(name, role), at: NOON, by });
export const invited = (memberId = BEA, name = 'bea', role: MemberRole = 'owner'): MemberEvent => ({
  type: 'MemberInvited',
  data: { memberId, accountId: ACCOUNT_ID, ...details(name, role) },
});
export const setPassword = (box = 'first', keptSession = SESSION_ID, memberId = BEA) =>
  new command.SetMemberPassword({
    accountId: ACCOUNT_ID,
    memberId,
    password: sealed(box),
    keptSession,
    at: NOON,
    by,
  });
export const passwordSet = (box = 'first', keptSession = SESSION_ID, memberId = BEA): MemberEvent => ({
  type: 'MemberPasswordSet',
  data: { memberId, password: sealed(box), keptSession },
});
export const changeRole = (role: MemberRole, memberId = BEA) =>
  new command.ChangeMemberRole({ accountId: ACCOUNT_ID, memberId, role, at: NOON, by });
export const roleChanged = (role: MemberRole, memberId = BEA): MemberEvent => ({
  type: 'MemberRoleChanged',
  data: { memberId, role },
});
export const endSessions = (generation = 0, memberId = BEA) =>
  new command.EndMemberSessions({ accountId: ACCOUNT_ID, memberId, generation, at: NOON, by });
export const sessionsEnded = (memberId = BEA): MemberEvent => ({
  type: 'MemberSessionsEnded',
  data: { memberId },
});
export const remove = (memberId = BEA) =>
  new command.RemoveMember({ accountId: ACCOUNT_ID, memberId, at: NOON, by });
export const removed = (memberId = BEA): MemberEvent => ({ type: 'MemberRemoved', data: { memberId } });

export const chooseTheme = (theme: Theme, memberId = BEA) =>
  new command.ChooseMemberTheme({ accountId: ACCOUNT_ID, memberId, theme, at: NOON, by });
export const themeChosen = (theme: Theme, memberId = BEA): MemberEvent => ({
  type: 'MemberThemeChosen',
  data: { memberId, theme },
});

const alerts: AlertChoice = {
  kinds: ['job_in_review'],
  channels: [{ channelId: 'mail-1', type: 'mail', address: 'bea@example.com' }],
  pace: 'hour',
  whenOver: true,
};
export const chooseAlerts = (changed: Partial<AlertChoice> = {}, ms = 0, memberId = BEA) =>
  new command.ChooseMemberAlerts({
    ...{ accountId: ACCOUNT_ID, memberId, choice: { ...alerts, ...changed } },
    ...{ at: later(ms), by },
  });
export const alertsChosen = (changed: Partial<AlertChoice> = {}, since = 0, memberId = BEA): MemberEvent => ({
  type: 'MemberAlertsChosen',
  data: { memberId, alerts: { ...alerts, ...changed, since: later(since) } },
});
