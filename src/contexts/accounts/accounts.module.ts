import { Module } from '@nestjs/common';
import {
  ChangePlan,
  CreateApiKey,
  CreatePartnerCredential,
  RenameAccount,
  ResumeAccount,
  RevokeApiKey,
  RevokePartnerCredential,
  SuspendAccount,
  SwitchEnvironment,
  accounts,
  apiKeys,
  partnerCredentials,
} from './index.js';
import {
  ProvisionAccountHandler,
  RegisterAccountHandler,
  RegisterPartnerHandler,
} from './registration.handlers.js';
import { deciderHandlers } from '../../event-sourcing/index.js';

@Module({
  providers: [
    ...deciderHandlers(accounts, (command) => command.accountId, [
      RenameAccount,
      SuspendAccount,
      ResumeAccount,
      SwitchEnvironment,
      ChangePlan,
    ]),
    ...deciderHandlers(apiKeys, (command) => command.keyId, [CreateApiKey, RevokeApiKey]),
    ...deciderHandlers(partnerCredentials, (command) => command.credentialId, [
      CreatePartnerCredential,
      RevokePartnerCredential,
    ]),
    RegisterAccountHandler,
    RegisterPartnerHandler,
    ProvisionAccountHandler,
  ],
})
export class AccountsModule {}
