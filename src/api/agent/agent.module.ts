import { Module } from '@nestjs/common';
import { DocumentsModule } from '../documents.js';
import { AgentAuthenticator } from './agent.authenticator.js';
import { CallerSession } from './caller-session.js';
import { AgentJobsController } from './jobs/jobs.controller.js';
import { AgentSessionsController } from './sessions/sessions.controller.js';

@Module({
  imports: [DocumentsModule],
  controllers: [AgentSessionsController, AgentJobsController],
  providers: [AgentAuthenticator, CallerSession],
  exports: [AgentAuthenticator],
})
export class AgentModule {}
