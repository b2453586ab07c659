import { Module } from '@nestjs/common';
import {
  ChoosePasswordHandler,
  InviteWithLinkHandler,
  SignInByLinkHandler,
  SignInByPasswordHandler,
} from './sign-in.handlers.js';
import { DismissLinkNotices, IssuePanelLink } from './domain/panel-link.decider.js';
import { EndSession, LeaveAccount, OpenDocument, VisitAccount } from './domain/session.decider.js';
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
} from './index.js';
import { PasswordHasher } from './password-hasher.js';
import { deciderHandlers } from '../../event-sourcing/index.js';

@Module({
  providers: [
    ...deciderHandlers(members, (command) => command.accountId, [
      ChangeMemberRole,
      ChooseMemberAlerts,
      ChooseMemberTheme,
      EndMemberSessions,
      RemoveMember,
    ]),
    ...deciderHandlers(panelLinks, (command) => command.linkId, [IssuePanelLink, DismissLinkNotices]),
    ...deciderHandlers(sessions, (command) => command.sessionId, [
      EndSession,
      LeaveAccount,
      OpenDocument,
      VisitAccount,
    ]),
    ...deciderHandlers(accesses, accessIdOf, [NoteAccess]),
    PasswordHasher,
    InviteWithLinkHandler,
    SignInByLinkHandler,
    SignInByPasswordHandler,
    ChoosePasswordHandler,
  ],
})
export class MembersModule {}
