import { Module } from '@nestjs/common';
import { SharedModule } from '../shared.module.js';
import { AgentAuthenticator } from './agent.authenticator.js';
import { CallerSession } from './caller-session.js';
import { InventoryController } from './inventory/inventory.controller.js';
import { AgentJobsController } from './jobs/jobs.controller.js';
import { LeasesController } from './leases/leases.controller.js';
import { AgentSessionsController } from './sessions/sessions.controller.js';

@Module({
  imports: [SharedModule],
  controllers: [AgentSessionsController, InventoryController, LeasesController, AgentJobsController],
  providers: [AgentAuthenticator, CallerSession],
  exports: [AgentAuthenticator],
})
export class AgentModule {}
