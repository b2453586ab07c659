import { Module } from '@nestjs/common';
import { AdministrationModule } from '../administration.module.js';
import { ActorNames } from './actor-names.js';
import { PanelAuditController } from './audit.controller.js';
import { PanelDeliveriesController } from './deliveries.controller.js';
import { PanelDevicesController } from './devices.controller.js';
import { PanelJobsController } from './jobs.controller.js';
import { PanelKeysController } from './keys.controller.js';
import { PanelMembersController } from './members.controller.js';
import { SessionAuthenticator } from './session.authenticator.js';
import { SessionsController } from './sessions.controller.js';
import { SignInLimits } from './sign-in-limits.js';

@Module({
  imports: [AdministrationModule],
  controllers: [
    SessionsController,
    PanelJobsController,
    PanelDevicesController,
    PanelKeysController,
    PanelDeliveriesController,
    PanelMembersController,
    PanelAuditController,
  ],
  providers: [SessionAuthenticator, SignInLimits, ActorNames],
  exports: [SessionAuthenticator],
})
export class PanelModule {}
