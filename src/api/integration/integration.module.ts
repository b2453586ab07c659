import { Module } from '@nestjs/common';
import { AdministrationModule } from '../administration.module.js';
import { ChangeAnswersModule } from '../change-answers.js';
import { EvidenceAnswersModule } from '../evidence-answers.js';
import { JobPollingModule } from '../polling.js';
import { AccountController } from './account/account.controller.js';
import { ApiKeyAuthenticator } from './api-key.authenticator.js';
import { ChangesController } from './changes/changes.controller.js';
import { ComputersController } from './computers/computers.controller.js';
import { PrintJobBatchController } from './print-jobs/batch.controller.js';
import { EvidenceController } from './evidence/evidence.controller.js';
import { LogController } from './evidence/log.controller.js';
import { ExplanationController } from './print-jobs/explanation.controller.js';
import { PrintJobsController } from './print-jobs/print-jobs.controller.js';
import { ReprintController } from './print-jobs/reprint.controller.js';
import { PrintersController } from './printers/printers.controller.js';
import { WebhookDeliveriesController } from './webhooks/webhook-deliveries.controller.js';
import { WebhookRecoveryController } from './webhooks/webhook-recovery.controller.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';

@Module({
  imports: [AdministrationModule, ChangeAnswersModule, EvidenceAnswersModule, JobPollingModule],
  controllers: [
    AccountController,
    ComputersController,
    PrintersController,
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
  ],
  providers: [ApiKeyAuthenticator],
  exports: [ApiKeyAuthenticator],
})
export class IntegrationModule {}
