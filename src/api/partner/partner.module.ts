import { Module } from '@nestjs/common';
import { AdministrationModule } from '../administration.module.js';
import { JobPollingModule } from '../job-polling.js';
import { PartnerAccountsController } from './accounts.controller.js';
import { PartnerDevicesController } from './devices.controller.js';
import { PartnerDiagnosticsController } from './diagnostics.controller.js';
import { EnrollController } from './enroll.controller.js';
import { PartnerJobsController } from './jobs.controller.js';
import { PartnerAccounts } from './partner-accounts.js';
import { PartnerAuthenticator } from './partner.authenticator.js';
import { PartnerPrintersController } from './printers.controller.js';

@Module({
  imports: [JobPollingModule, AdministrationModule],
  controllers: [
    PartnerDiagnosticsController,
    EnrollController,
    PartnerAccountsController,
    PartnerDevicesController,
    PartnerPrintersController,
    PartnerJobsController,
  ],
  providers: [PartnerAuthenticator, PartnerAccounts],
  exports: [PartnerAuthenticator],
})
export class PartnerModule {}
