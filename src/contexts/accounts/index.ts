import type { Aggregate } from '../../event-sourcing/write/aggregate-store.js';
import type { AccountCommand, AccountRejection } from './domain/account.commands.js';
import { accountDecider, type Account } from './domain/account.decider.js';
import type { AccountEvent } from './domain/account.events.js';
import type { ApiKeyCommand, ApiKeyRejection } from './domain/api-key.commands.js';
import { apiKeyDecider, type ApiKey } from './domain/api-key.decider.js';
import type { ApiKeyEvent } from './domain/api-key.events.js';
import type { PartnerCommand } from './domain/partner.commands.js';
import type {
  PartnerCredentialCommand,
  PartnerCredentialRejection,
} from './domain/partner-credential.commands.js';
import { partnerCredentialDecider, type PartnerCredential } from './domain/partner-credential.decider.js';
import type { PartnerCredentialEvent } from './domain/partner-credential.events.js';
import { partnerDecider, type Partner, type PartnerRejection } from './domain/partner.decider.js';
import type { PartnerEvent } from './domain/partner.events.js';

export * from './domain/account.commands.js';
export type { Account } from './domain/account.decider.js';
export {
  ACCOUNT_STATUSES,
  type AccountDetails,
  type AccountEvent,
  type AccountStatus,
  type Plan,
} from './domain/account.events.js';
export * from './domain/api-key.commands.js';
export type { ApiKey } from './domain/api-key.decider.js';
export type { ApiKeyEvent } from './domain/api-key.events.js';
export * from './domain/partner.commands.js';
export type { Partner, PartnerRejection } from './domain/partner.decider.js';
export type { PartnerEvent } from './domain/partner.events.js';
export * from './domain/partner-credential.commands.js';
export type { PartnerCredential } from './domain/partner-credential.decider.js';
export type { PartnerCredentialEvent, PartnerCredentialKind } from './domain/partner-credential.events.js';
export * from './domain/scopes.js';
export * from './domain/slug.js';

export const accounts: Aggregate<Account, AccountCommand, AccountEvent, AccountRejection> = {
  category: 'account',
  decider: accountDecider,
};

export const apiKeys: Aggregate<ApiKey, ApiKeyCommand, ApiKeyEvent, ApiKeyRejection> = {
  category: 'apiKey',
  decider: apiKeyDecider,
};

export const partners: Aggregate<Partner, PartnerCommand, PartnerEvent, PartnerRejection> = {
  category: 'partner',
  decider: partnerDecider,
};

export const partnerCredentials: Aggregate<
  PartnerCredential,
  PartnerCredentialCommand,
  PartnerCredentialEvent,
  PartnerCredentialRejection
> = { category: 'partnerCredential', decider: partnerCredentialDecider };

export {
  DEFAULT_PLAN,
  ProvisionAccount,
  RegisterAccount,
  RegisterPartner,
  type Registered,
} from './register-account.command.js';
