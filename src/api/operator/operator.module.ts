import { Module } from '@nestjs/common';
import { AdministrationModule } from '../administration.module.js';
import { OperatorAccountsController } from './accounts/accounts.controller.js';
import { OperatorAccountStateController } from './accounts/account-state.controller.js';
import { OperatorActivityController } from './activity/activity.controller.js';
import { OperatorAddedPrintersController } from './computers/added-printers.controller.js';
import { ChangeAnswersModule } from '../change-answers.js';
import { OperatorChangesController } from './changes/changes.controller.js';
import { OperatorComputersController } from './computers/computers.controller.js';
import { OperatorCredentialsController } from './credentials/credentials.controller.js';
import { OperatorEvidenceController } from './evidence/evidence.controller.js';
import { OperatorEventsController } from './events/events.controller.js';
import { StreamStates } from './events/stream-states.js';
import { EvidenceAnswersModule } from '../evidence-answers.js';
import { OperatorProofFilesController } from './evidence/proof-files.controller.js';
import { EventImport } from './export-import/event-import.js';
import { ExportImportController } from './export-import/export-import.controller.js';
import { OperatorJobsController } from './jobs/jobs.controller.js';
import { OperatorMembersController } from './members/members.controller.js';
import { OperatorAuthenticator } from './operator.authenticator.js';
import { OperatedComputers } from './operator.resources.js';
import { OperatorPartnersController } from './partners/partners.controller.js';
import { OperatorPrintersController } from './printers/printers.controller.js';
import { OperatorSearchController } from './search/search.controller.js';
import { OperatorServiceController } from './service/service.controller.js';

@Module({
  imports: [AdministrationModule, ChangeAnswersModule, EvidenceAnswersModule],
  controllers: [
    OperatorAccountsController,
    OperatorAccountStateController,
    OperatorCredentialsController,
    OperatorPartnersController,
    OperatorAddedPrintersController,
    OperatorComputersController,
    OperatorPrintersController,
    OperatorJobsController,
    OperatorMembersController,
    OperatorEventsController,
    OperatorEvidenceController,
    OperatorChangesController,
    OperatorSearchController,
    OperatorServiceController,
    OperatorActivityController,
    ExportImportController,
    OperatorProofFilesController,
  ],
  providers: [OperatorAuthenticator, OperatedComputers, EventImport, StreamStates],
  exports: [OperatorAuthenticator],
})
export class OperatorModule {}
