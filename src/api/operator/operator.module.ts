import { Module } from '@nestjs/common';
import { OperatorAccountsController } from './accounts.controller.js';
import { OperatorComputersController } from './computers.controller.js';
import { OperatorCredentialsController } from './credentials.controller.js';
import { OperatorEventsController } from './events.controller.js';
import { OperatorAuthenticator } from './operator.authenticator.js';

@Module({
  controllers: [
    OperatorAccountsController,
    OperatorCredentialsController,
    OperatorComputersController,
    OperatorEventsController,
  ],
  providers: [OperatorAuthenticator],
  exports: [OperatorAuthenticator],
})
export class OperatorModule {}
