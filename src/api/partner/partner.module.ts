import { Module } from '@nestjs/common';
import { AdministrationModule } from '../administration.module.js';
import { ChangeAnswersModule } from '../change-answers.js';
import { JobPollingModule } from '../polling.js';
import { PartnerAccountsController } from './accounts/accounts.controller.js';
import { PartnerChangesController } from './changes/changes.controller.js';
import { PartnerDevicesController } from './devices/devices.controller.js';
import { EnrollController } from './devices/enroll.controller.js';
import { PartnerDiagnosticsController } from './diagnostics/diagnostics.controller.js';
import { PartnerJobBatchController } from './jobs/batch.controller.js';
import { PartnerJobsController } from './jobs/jobs.controller.js';
import { PartnerAccounts } from './partner-accounts.js';
import { PartnerAuthenticator } from './partner.authenticator.js';
import { PartnerPrintersController } from './printers/printers.controller.js';

@Module({
  imports: [JobPollingModule, ChangeAnswersModule, AdministrationModule],
  controllers: [
    PartnerDiagnosticsController,
    EnrollController,
    PartnerAccountsController,
    PartnerDevicesController,
    PartnerPrintersController,
    PartnerJobsController,
    PartnerJobBatchController,
    PartnerChangesController,
  ],
  providers: [PartnerAuthenticator, PartnerAccounts],
  exports: [PartnerAuthenticator],
})
export class PartnerModule {}
