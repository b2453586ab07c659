import { Module, type DynamicModule } from '@nestjs/common';
import { AgentModule } from '../api/agent/agent.module.js';
import { heartbeatSeconds } from '../api/agent-timing.js';
import { HealthController } from '../api/operator/health.controller.js';
import { MetricsController } from '../api/operator/health.controller.js';
import { IntegrationModule } from '../api/integration/integration.module.js';
import { OperatorModule } from '../api/operator/operator.module.js';
import { PanelModule } from '../api/panel/panel.module.js';
import { PartnerModule } from '../api/partner/partner.module.js';
import { PlatformModule, type Platform } from './platform.module.js';
import { AccountsModule } from '../contexts/accounts/accounts.module.js';
import { DevicesModule } from '../contexts/devices/devices.module.js';
import { MembersModule } from '../contexts/members/members.module.js';
import { JobsModule } from '../contexts/jobs/jobs.module.js';
import { RecoveryModule } from '../contexts/recovery/recovery.module.js';
import { AccountsViewModule } from '../../projections/accounts/accounts.queries.js';
import { AuditViewModule } from '../../projections/audit/audit.queries.js';
import { ComputersViewModule } from '../../projections/computers/computers.queries.js';
import { CredentialsViewModule } from '../../projections/credentials/credentials.queries.js';
import { JobHistoryModule } from '../../projections/job-history/job-history.queries.js';
import { JobViewModule } from '../../projections/job-view/job-view.queries.js';
import { MembersViewModule } from '../../projections/members/members.queries.js';
import { PartnersViewModule } from '../../projections/partners/partners.queries.js';
import { PrintersViewModule } from '../../projections/printers/printers.queries.js';
import { WebhookDeliveriesViewModule } from '../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookEndpointsViewModule } from '../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import { WebhooksModule } from '../contexts/webhooks/webhooks.module.js';

/** Each provides the queries of its view to all surfaces, and the ports of contexts that it implements. */
const VIEWS = [
  AccountsViewModule,
  AuditViewModule,
  ComputersViewModule,
  CredentialsViewModule,
  JobHistoryModule,
  JobViewModule,
  MembersViewModule,
  PartnersViewModule,
  PrintersViewModule,
  WebhookDeliveriesViewModule,
  WebhookEndpointsViewModule,
];

/** The whole service on embedded or server stores. */
@Module({})
export class AppModule {
  static over(platform: Platform): DynamicModule {
    const { config } = platform;
    const jobs = JobsModule.with({
      lifetimeMs: config.jobLifetimeMs,
      leaseMs: config.leaseMs,
      acceptGraceMs: config.acceptGraceMs,
      handoffGraceMs: config.handoffGraceMs,
      spoolWatchMs: config.spoolWatchMs,
      retryDelaysMs: config.jobRetryDelaysMs,
      successionMs: 2000 * heartbeatSeconds(config),
      reviewWindowMs: config.reviewWindowMs,
      contentRetentionMs: config.contentRetentionMs,
    });
    return {
      module: AppModule,
      imports: [
        PlatformModule.of(platform),
        AccountsModule,
        DevicesModule,
        jobs,
        MembersModule,
        RecoveryModule,
        WebhooksModule.with({ retryDelaysMs: config.webhookRetryDelaysMs }, platform.sending),
        ...VIEWS,
        IntegrationModule,
        AgentModule,
        PartnerModule,
        OperatorModule,
        ...(config.panel ? [PanelModule] : []),
      ],
      controllers: [HealthController, MetricsController],
    };
  }
}
