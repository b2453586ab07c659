import { Module } from '@nestjs/common';
import { SharedModule } from '../shared.module.js';
import { AccountController, ChangesController } from './account/account.controller.js';
import { ApiKeyAuthenticator } from './api-key.authenticator.js';
import { DevicesController } from './devices/devices.controller.js';
import { EvidenceController } from './evidence/evidence.controller.js';
import { McpController } from './mcp/mcp.controller.js';
import { PrintJobBatchController, ReprintController } from './print-jobs/creation.controller.js';
import { ExplanationController, PrintJobsController } from './print-jobs/print-jobs.controller.js';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

@Module({
  imports: [SharedModule],
  controllers: [
    AccountController,
    DevicesController,
    PrintJobsController,
    PrintJobBatchController,
    ExplanationController,
    ReprintController,
    WebhooksController,
    WebhookDeliveriesController,
    ChangesController,
    EvidenceController,
    McpController,
  ],
  providers: [ApiKeyAuthenticator],
  exports: [ApiKeyAuthenticator],
})
export class IntegrationModule {}
