import { Module } from '@nestjs/common';
import { AdministrationModule } from '../administration.module.js';
import { DocumentsModule } from '../documents.js';
import { ActorNames } from './actor-names.js';
import { ActivityController } from './activity/activity.controller.js';
import { AlertsController } from './alerts/alerts.controller.js';
import { PanelAuditController } from './audit/audit.controller.js';
import { DeliveryNames } from './deliveries/delivery-names.js';
import { PanelDeliveriesController } from './deliveries/deliveries.controller.js';
import { PanelDevicesController } from './devices/devices.controller.js';
import { PanelEvidenceController } from './evidence/evidence.controller.js';
import { FeedController, LiveFeeds } from './feed/feed.controller.js';
import { PanelJobSearchController } from './jobs/job-search.controller.js';
import { PanelJobsController } from './jobs/jobs.controller.js';
import { OpenedDocuments } from './jobs/opened-documents.js';
import { PageDrawing } from './jobs/page-drawing.js';
import { PreviewController } from './jobs/preview.controller.js';
import { PanelKeysController } from './keys/keys.controller.js';
import { PanelMembersController } from './members/members.controller.js';
import { OverviewController, Overviews } from './overview/overview.controller.js';
import { PanelQueuesController } from './queues/queues.controller.js';
import { SessionAuthenticator } from './session.authenticator.js';
import { KnownBrowsers } from './sessions/known-browsers.js';
import { MemberSessions, MemberSessionsController } from './sessions/member-sessions.controller.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SignInLimits } from './sessions/sign-in-limits.js';
import { ThemeController } from './sessions/theme.controller.js';
import { VisitsController } from './sessions/visits.controller.js';

@Module({
  imports: [AdministrationModule, DocumentsModule],
  controllers: [
    SessionsController,
    MemberSessionsController,
    ThemeController,
    VisitsController,
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
    PanelEvidenceController,
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
