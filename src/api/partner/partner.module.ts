import { Module } from '@nestjs/common';
import { SharedModule } from '../shared.module.js';
import { PartnerAccountsController } from './accounts/accounts.controller.js';
import { PartnerChangesController } from './changes/changes.controller.js';
import { EnrollController, PartnerDevicesController } from './devices/devices.controller.js';
import { PartnerDiagnosticsController } from './diagnostics/diagnostics.controller.js';
import { PartnerJobsController } from './jobs/jobs.controller.js';
import { PartnerAccounts } from './partner-accounts.js';
import { PartnerAuthenticator } from './partner.authenticator.js';
import { PartnerPrintersController } from './printers/printers.controller.js';

@Module({
  imports: [SharedModule],
  controllers: [
    PartnerDiagnosticsController,
    EnrollController,
    PartnerAccountsController,
    PartnerDevicesController,
    PartnerPrintersController,
    PartnerJobsController,
    PartnerChangesController,
  ],
  providers: [PartnerAuthenticator, PartnerAccounts],
  exports: [PartnerAuthenticator],
})
export class PartnerModule {}
