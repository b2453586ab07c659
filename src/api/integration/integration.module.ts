import { Module } from '@nestjs/common';
import { EvidenceAnswersModule } from '../evidence-answers.js';
import { SharedModule } from '../shared.module.js';
import { AccountController, ChangesController } from './account/account.controller.js';
import { ApiKeyAuthenticator } from './api-key.authenticator.js';
import { DevicesController } from './devices/devices.controller.js';
import { EvidenceController } from './evidence/evidence.controller.js';
import { LogController } from './evidence/log.controller.js';
import { McpController } from './mcp/mcp.controller.js';
import { PrintJobBatchController, ReprintController } from './print-jobs/creation.controller.js';
import { ExplanationController, PrintJobsController } from './print-jobs/print-jobs.controller.js';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller.js';
import { WebhookRecoveryController } from './webhooks/webhook-recovery.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

@Module({
  imports: [EvidenceAnswersModule, SharedModule],
  controllers: [
    AccountController,
    DevicesController,
    PrintJobsController,
    PrintJobBatchController,
    ExplanationController,
    ReprintController,
    WebhooksController,
    WebhookDeliveriesController,
    WebhookRecoveryController,
    ChangesController,
    EvidenceController,
    LogController,
    McpController,
  ],
  providers: [ApiKeyAuthenticator],
  exports: [ApiKeyAuthenticator],
})
export class IntegrationModule {}
