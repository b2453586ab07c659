import { Module } from '@nestjs/common';
import { AgentAuthenticator } from './agent.authenticator.js';
import { CallerSession } from './caller-session.js';
import { AgentJobsController } from './jobs.controller.js';
import { AgentSessionsController } from './sessions.controller.js';

@Module({
  controllers: [AgentSessionsController, AgentJobsController],
  providers: [AgentAuthenticator, CallerSession],
  exports: [AgentAuthenticator],
})
export class AgentModule {}
