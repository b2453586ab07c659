import { Module } from '@nestjs/common';
import { SharedModule } from '../shared.module.js';
import { ActivityController } from './activity/activity.controller.js';
import { ActorNames } from './actor-names.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { PanelAuditController } from './audit/audit.controller.js';
import { DeliveryNames, PanelDeliveriesController } from './deliveries/deliveries.controller.js';
import { PanelDevicesController } from './devices/devices.controller.js';
import { FeedController, LiveFeeds } from './feed/feed.controller.js';
import { PanelJobSearchController } from './jobs/job-search.controller.js';
import { OpenedDocuments, PanelJobsController } from './jobs/jobs.controller.js';
import { PageDrawing, PreviewController } from './jobs/preview.controller.js';
import { PanelKeysController } from './keys/keys.controller.js';
import { PanelMembersController } from './members/members.controller.js';
import { OverviewController, Overviews } from './overview/overview.controller.js';
import { PanelQueuesController } from './queues/queues.controller.js';
import { SessionAuthenticator } from './session.authenticator.js';
import { MemberSessions, MemberSessionsController } from './sessions/member-sessions.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { KnownBrowsers, SignInLimits } from './sessions/sign-in-limits.js';

@Module({
  imports: [SharedModule],
  controllers: [
    SessionsController,
    MemberSessionsController,
    OverviewController,
    ActivityController,
    PanelJobsController,
    PanelJobSearchController,
    PreviewController,
    PanelDevicesController,
    PanelQueuesController,
    PanelKeysController,
    PanelDeliveriesController,
    PanelMembersController,
    PanelAuditController,
    AlertsController,
    FeedController,
  ],
  providers: [
    SessionAuthenticator,
    SignInLimits,
    KnownBrowsers,
    MemberSessions,
    ActorNames,
    DeliveryNames,
    OpenedDocuments,
    PageDrawing,
    LiveFeeds,
    Overviews,
  ],
  exports: [SessionAuthenticator],
})
export class PanelModule {}
