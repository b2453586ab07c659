import { accessDecider, INSTALLATION, type NoteAccess } from './domain/access.decider.js';
import type { AccessEvent } from './domain/access.events.js';
import type { MemberCommand, MemberRejection } from './domain/member.commands.js';
import { memberDecider } from './domain/member.decider.js';
import type { MemberEvent } from './domain/member.events.js';
import type { Members } from './domain/member.state.js';
import {
  panelLinkDecider,
  type PanelLink,
  type PanelLinkCommand,
  type PanelLinkRejection,
} from './domain/panel-link.decider.js';
import type { PanelLinkEvent } from './domain/panel-link.events.js';
import {
  sessionDecider,
  type Session,
  type SessionCommand,
  type SessionRejection,
} from './domain/session.decider.js';
import type { SessionEvent } from './domain/session.events.js';

export * from './coordinated.commands.js';
export * from './domain/alert.rules.js';
export { accessIdOf, INSTALLATION, NoteAccess } from './domain/access.decider.js';
export type { AccessEvent, AccessEventData } from './domain/access.events.js';
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
import type { PanelUser } from './domain/panel-link.events.js';
import type { Aggregate } from '../../event-sourcing/index.js';
export type { PanelLinkEvent, PanelUser } from './domain/panel-link.events.js';
export {
  EndSession,
  LeaveAccount,
  OpenDocument,
  type OpenedSession,
  type SessionRejection,
  type Visit,
  VisitAccount,
} from './domain/session.decider.js';
export type { SessionEvent, SessionUser, SignInClient } from './domain/session.events.js';
export { endOf, isVisiting, needsNoOldPassword, VISIT } from './domain/session.rules.js';

const accountOf = (user: PanelUser) => (user.kind === 'member' ? user.accountId : undefined);

export const members: Aggregate<Members, MemberCommand, MemberEvent, MemberRejection> = {
  category: 'members',
  decider: memberDecider,
  auditedIn: (_, { id }) => id,
};

/** One stream per member, so that a new link replaces the older ones. */
export const panelLinks: Aggregate<PanelLink, PanelLinkCommand, PanelLinkEvent, PanelLinkRejection> = {
  category: 'panelLink',
  decider: panelLinkDecider,
  auditedIn: (_, { state }) => (state.status === 'absent' ? undefined : accountOf(state.user)),
};

export const sessions: Aggregate<Session, SessionCommand, SessionEvent, SessionRejection> = {
  category: 'session',
  decider: sessionDecider,
  auditedIn({ type, data }, { state }) {
    if (type === 'AccountVisited' || type === 'AccountLeft') return data.accountId;
    return state.status === 'absent' ? undefined : accountOf(state.user);
  },
};

export const accesses: Aggregate<object, NoteAccess, AccessEvent, never> = {
  category: 'access',
  decider: accessDecider,
  serialised: true,
  auditedIn: (_, { id }) => (id.startsWith(INSTALLATION) ? undefined : id.slice(0, INSTALLATION.length)),
};
