import { Module } from '@nestjs/common';
import { AdministrationModule } from '../administration.module.js';
import { DocumentsModule } from '../documents.js';
import { ActorNames } from './actor-names.js';
import { PanelAuditController } from './audit.controller.js';
import { PanelDeliveriesController } from './deliveries.controller.js';
import { PanelDevicesController } from './devices.controller.js';
import { PanelJobsController } from './jobs.controller.js';
import { PanelKeysController } from './keys.controller.js';
import { FeedController } from './live/feed.controller.js';
import { LiveFeeds } from './live/live-feeds.js';
import { KnownBrowsers } from './known-browsers.js';
import { MemberSessionsController } from './member-sessions.controller.js';
import { MemberSessions } from './member-sessions.js';
import { PanelMembersController } from './members.controller.js';
import { OverviewController } from './overview.controller.js';
import { Overviews } from './overviews.js';
import { SessionAuthenticator } from './session.authenticator.js';
import { SessionsController } from './sessions.controller.js';
import { SignInLimits } from './sign-in-limits.js';

@Module({
  imports: [AdministrationModule, DocumentsModule],
  controllers: [
    SessionsController,
    MemberSessionsController,
    OverviewController,
    PanelJobsController,
    PanelDevicesController,
    PanelKeysController,
    PanelDeliveriesController,
    PanelMembersController,
    PanelAuditController,
    FeedController,
  ],
  providers: [
    SessionAuthenticator,
    SignInLimits,
    KnownBrowsers,
    MemberSessions,
    ActorNames,
    LiveFeeds,
    Overviews,
  ],
  exports: [SessionAuthenticator],
})
export class PanelModule {}
