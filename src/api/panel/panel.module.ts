import { Module } from '@nestjs/common';
import { MemberAdministrationModule } from '../member-administration.module.js';
import { PanelMembersController } from './members.controller.js';
import { SessionAuthenticator } from './session.authenticator.js';
import { SessionsController } from './sessions.controller.js';
import { SignInLimits } from './sign-in-limits.js';

@Module({
  imports: [MemberAdministrationModule],
  controllers: [SessionsController, PanelMembersController],
  providers: [SessionAuthenticator, SignInLimits],
  exports: [SessionAuthenticator],
})
export class PanelModule {}
