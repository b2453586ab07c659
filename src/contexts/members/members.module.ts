import { Module } from '@nestjs/common';
import { ChoosePasswordHandler } from './choose-password.handler.js';
import { DismissLinkNotices, IssuePanelLink, type PanelLinkCommand } from './domain/panel-link.decider.js';
import {
  EndSession,
  LeaveAccount,
  OpenDocument,
  type SessionCommand,
  VisitAccount,
} from './domain/session.decider.js';
import {
  accesses,
  accessIdOf,
  ChangeMemberRole,
  ChooseMemberAlerts,
  ChooseMemberTheme,
  EndMemberSessions,
  NoteAccess,
  RemoveMember,
  members,
  panelLinks,
  sessions,
  type MemberCommand,
} from './index.js';
import { InviteWithLinkHandler } from './invite-with-link.handler.js';
import { PasswordHasher } from './password-hasher.js';
import { SignInByLinkHandler, SignInByPasswordHandler } from './sign-in.handlers.js';
import { deciderHandlers } from '../../event-sourcing/index.js';

const MEMBERS = Symbol('members aggregate');
const PANEL_LINK = Symbol('panel link aggregate');
const SESSION = Symbol('session aggregate');
const ACCESS = Symbol('access aggregate');

@Module({
  providers: [
    { provide: MEMBERS, useValue: members },
    { provide: PANEL_LINK, useValue: panelLinks },
    { provide: SESSION, useValue: sessions },
    { provide: ACCESS, useValue: accesses },
    ...deciderHandlers<MemberCommand>(MEMBERS, (command) => command.accountId, [
      ChangeMemberRole,
      ChooseMemberAlerts,
      ChooseMemberTheme,
      EndMemberSessions,
      RemoveMember,
    ]),
    ...deciderHandlers<PanelLinkCommand>(PANEL_LINK, (command) => command.linkId, [
      IssuePanelLink,
      DismissLinkNotices,
    ]),
    ...deciderHandlers<SessionCommand>(SESSION, (command) => command.sessionId, [
      EndSession,
      LeaveAccount,
      OpenDocument,
      VisitAccount,
    ]),
    ...deciderHandlers<NoteAccess>(ACCESS, accessIdOf, [NoteAccess]),
    PasswordHasher,
    InviteWithLinkHandler,
    SignInByLinkHandler,
    SignInByPasswordHandler,
    ChoosePasswordHandler,
  ],
})
export class MembersModule {}
