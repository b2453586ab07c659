import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents.js';
import { AgentAuthenticator } from './agent.authenticator.js';
import { CallerSession } from './caller-session.js';
import { InventoryController } from './inventory/inventory.controller.js';
import { AgentJobsController } from './jobs/jobs.controller.js';
import { LeasesController } from './leases/leases.controller.js';
import { AddedPrintersController } from './printers/added-printers.controller.js';
import { AgentSessionsController } from './sessions/sessions.controller.js';

@Module({
  imports: [DocumentsModule],
  controllers: [
    AgentSessionsController,
    InventoryController,
    AddedPrintersController,
    LeasesController,
    AgentJobsController,
  ],
  providers: [AgentAuthenticator, CallerSession],
  exports: [AgentAuthenticator],
})
export class AgentModule {}
