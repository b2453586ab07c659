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
  type AccountCommand,
  type ApiKeyCommand,
  type PartnerCredentialCommand,
} from './index.js';
import { ProvisionAccountHandler } from './provision-account.handler.js';
import { RegisterAccountHandler, RegisterPartnerHandler } from './register-account.handler.js';
import { deciderHandlers } from '../../event-sourcing/index.js';

const ACCOUNT = Symbol('account aggregate');
const API_KEY = Symbol('API key aggregate');
const PARTNER_CREDENTIAL = Symbol('partner credential aggregate');

@Module({
  providers: [
    { provide: ACCOUNT, useValue: accounts },
    { provide: API_KEY, useValue: apiKeys },
    { provide: PARTNER_CREDENTIAL, useValue: partnerCredentials },
    ...deciderHandlers<AccountCommand>(ACCOUNT, (command) => command.accountId, [
      RenameAccount,
      SuspendAccount,
      ResumeAccount,
      SwitchEnvironment,
      ChangePlan,
    ]),
    ...deciderHandlers<ApiKeyCommand>(API_KEY, (command) => command.keyId, [CreateApiKey, RevokeApiKey]),
    ...deciderHandlers<PartnerCredentialCommand>(PARTNER_CREDENTIAL, (command) => command.credentialId, [
      CreatePartnerCredential,
      RevokePartnerCredential,
    ]),
    RegisterAccountHandler,
    RegisterPartnerHandler,
    ProvisionAccountHandler,
  ],
})
export class AccountsModule {}
