import { Module } from '@nestjs/common';
import { SharedModule } from '../shared.module.js';
import { OperatorAccountsController } from './accounts/accounts.controller.js';
import { OperatorChangesController } from './changes/changes.controller.js';
import { OperatorComputersController } from './computers/computers.controller.js';
import { OperatorCredentialsController } from './credentials/credentials.controller.js';
import { OperatorEventsController, StreamStates } from './events/events.controller.js';
import { OperatorEvidenceController } from './evidence/evidence.controller.js';
import { EventImport } from './export-import/event-import.js';
import { ExportImportController } from './export-import/export-import.controller.js';
import { OperatorJobsController } from './jobs/jobs.controller.js';
import { OperatorMembersController } from './members/members.controller.js';
import { OperatorAuthenticator } from './operator.authenticator.js';
import { OperatedComputers } from './operator.resources.js';
import { OperatorPartnersController } from './partners/partners.controller.js';
import { OperatorSearchController } from './search/search.controller.js';
import { OperatorServiceController } from './service/service.controller.js';

@Module({
  imports: [SharedModule],
  controllers: [
    OperatorAccountsController,
    OperatorCredentialsController,
    OperatorPartnersController,
    OperatorComputersController,
    OperatorJobsController,
    OperatorMembersController,
    OperatorEventsController,
    OperatorEvidenceController,
    OperatorChangesController,
    OperatorSearchController,
    OperatorServiceController,
    ExportImportController,
  ],
  providers: [OperatorAuthenticator, OperatedComputers, EventImport, StreamStates],
  exports: [OperatorAuthenticator],
})
export class OperatorModule {}
