import { aggregate } from '../../event-sourcing/index.js';
import { accessDecider, INSTALLATION } from './domain/access.decider.js';
import { memberDecider } from './domain/member.decider.js';
import { panelLinkDecider } from './domain/panel-link.decider.js';
import { sessionDecider } from './domain/session.decider.js';
import type { PanelUser } from './domain/session.events.js';

export * from './coordinated.commands.js';
export * from './domain/alert.rules.js';
export { accessIdOf, INSTALLATION, NoteAccess } from './domain/access.decider.js';
export type {
  AccessEvent,
  AccessEventData,
  FailedSource,
  PanelLinkEvent,
  PanelUser,
  SessionEvent,
  SessionUser,
  SignInClient,
} from './domain/session.events.js';
export * from './domain/member.commands.js';
export {
  MEMBER_ROLES,
  type MemberEvent,
  type MemberRole,
  type Theme,
  THEMES,
} from './domain/member.events.js';
export { countsSession, memberOf, type Member } from './domain/member.state.js';
export { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH, type PasswordProblem } from './domain/password.rules.js';
export {
  DismissLinkNotices,
  IssuePanelLink,
  type LinkNotice,
  type PanelLinkRejection,
} from './domain/panel-link.decider.js';
export {
  EndSession,
  LeaveAccount,
  OpenDocument,
  type OpenedSession,
  type SessionRejection,
  type Visit,
  VisitAccount,
} from './domain/session.decider.js';
export { endOf, isVisiting, needsNoOldPassword, VISIT } from './domain/session.rules.js';

const accountOf = (user: PanelUser) => (user.kind === 'member' ? user.accountId : undefined);

export const members = aggregate({
  category: 'members',
  decider: memberDecider,
  auditedIn: (_, { id }) => id,
});

/** One stream per member, so that a new link replaces the older ones. */
export const panelLinks = aggregate({
  category: 'panelLink',
  decider: panelLinkDecider,
  auditedIn: (_, { state }) => (state.status === 'absent' ? undefined : accountOf(state.user)),
});

export const sessions = aggregate({
  category: 'session',
  decider: sessionDecider,
  auditedIn({ type, data }, { state }) {
    if (type === 'AccountVisited' || type === 'AccountLeft') return data.accountId;
    return state.status === 'absent' ? undefined : accountOf(state.user);
  },
});

export const accesses = aggregate({
  category: 'access',
  decider: accessDecider,
  serialised: true,
  auditedIn: (_, { id }) => (id.startsWith(INSTALLATION) ? undefined : id.slice(0, INSTALLATION.length)),
});
