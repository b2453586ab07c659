import { Module, type DynamicModule } from '@nestjs/common';
import { heartbeatSeconds } from '../api/agent-timing.js';
import { HealthController, MetricsController } from '../api/operator/service/health.controller.js';
import { SurfacesModule } from '../api/surfaces.module.js';
import { surfacesOf } from '../api/surfaces.js';
import type { HttpOptions } from '../http/http-options.js';
import { HttpModule } from '../http/http.module.js';
import { HttpMetrics } from '../http/request-log.js';
import { alertSendingOf } from './webhook-sending.js';
import { PlatformModule, type Platform } from './platform.module.js';
import { Workers } from './workers.js';
import { AccountsViewModule } from '../../projections/accounts/accounts.queries.js';
import { AlertFactsModule } from '../../projections/alert-facts/alert-facts.queries.js';
import { AuditViewModule } from '../../projections/audit/audit.queries.js';
import { AvailabilityViewModule } from '../../projections/availability/availability.queries.js';
import { ComputersViewModule } from '../../projections/computers/computers.queries.js';
import { CredentialsViewModule } from '../../projections/credentials/credentials.queries.js';
import { JobHistoryModule } from '../../projections/job-history/job-history.queries.js';
import { JobViewModule } from '../../projections/job-view/job-view.queries.js';
import { MembersViewModule } from '../../projections/members/members.queries.js';
import { PastModule } from '../../projections/past/past.queries.js';
import { PrintersViewModule } from '../../projections/printers/printers.queries.js';
import { WebhookDeliveriesViewModule } from '../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookEndpointsViewModule } from '../../projections/webhook-endpoints/webhook-endpoints.queries.js';
import { LOG_OPERATIONS } from '../api/integration/evidence/evidence.controller.js';
import { AccountsModule } from '../contexts/accounts/accounts.module.js';
import { AlertsModule } from '../contexts/alerts/alerts.module.js';
import { DevicesModule } from '../contexts/devices/devices.module.js';
import { MembersModule } from '../contexts/members/members.module.js';
import { JobsModule } from '../contexts/jobs/jobs.module.js';
import { RecoveryModule } from '../contexts/recovery/recovery.module.js';
import { WebhooksModule } from '../contexts/webhooks/webhooks.module.js';

/** Queries of each view, and the ports of contexts that they implement. */
const VIEWS = [
  AccountsViewModule,
  AlertFactsModule,
  AuditViewModule,
  AvailabilityViewModule,
  ComputersViewModule,
  CredentialsViewModule,
  JobHistoryModule,
  JobViewModule,
  MembersViewModule,
  PastModule,
  PrintersViewModule,
  WebhookDeliveriesViewModule,
  WebhookEndpointsViewModule,
];

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
        AlertsModule.with(alertSendingOf(platform)),
        DevicesModule,
        jobs,
        MembersModule,
        RecoveryModule,
        WebhooksModule.with({ retryDelaysMs: config.webhookRetryDelaysMs }, platform.sending),
        ...VIEWS,
        HttpModule.over(httpOptionsOf(platform), SurfacesModule.with(config.panel)),
      ],
      controllers: [HealthController, MetricsController],
      providers: [Workers],
    };
  }
}

function httpOptionsOf({
  config,
  productVersion,
  logger,
  registry,
  tracing,
  sending,
}: Platform): HttpOptions {
  const { panel, agentPackages, rateLimitFactor, publicUrl, metricsPublic, evidencePublic } = config;
  return {
    ...{ productVersion, logger, rateLimitFactor, publicUrl, tracing },
    surfaces: surfacesOf(panel),
    metrics: new HttpMetrics(registry),
    ...{ panelPages: panel, agentPackages },
    webhookKeys: [sending.signingKey.publicKey, ...config.webhookPublicKeys],
    openOperations: [...(metricsPublic ? ['metrics'] : []), ...(evidencePublic ? LOG_OPERATIONS : [])],
  };
}
