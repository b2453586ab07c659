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
import { WebhooksModule } from '../contexts/webhooks/webhooks.module.js';

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
