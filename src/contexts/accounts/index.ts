import type { AccountCommand, AccountRejection } from './domain/account.commands.js';
import { accountDecider, type Account } from './domain/account.decider.js';
import type { AccountEvent } from './domain/account.events.js';
import {
  apiKeyDecider,
  type ApiKey,
  type ApiKeyCommand,
  type ApiKeyRejection,
} from './domain/api-key.decider.js';
import type { ApiKeyEvent } from './domain/api-key.events.js';
import {
  partnerCredentialDecider,
  partnerDecider,
  type Partner,
  type PartnerCommand,
  type PartnerCredential,
  type PartnerCredentialCommand,
  type PartnerCredentialRejection,
  type PartnerRejection,
} from './domain/partner.decider.js';
import type { PartnerCredentialEvent, PartnerEvent } from './domain/partner.events.js';
import type { Aggregate } from '../../event-sourcing/index.js';

export * from './domain/account.commands.js';
export type { Account } from './domain/account.decider.js';
export { ACCOUNT_STATUSES, type AccountEvent, type AccountStatus } from './domain/account.events.js';
export * from './domain/api-key.decider.js';
export type { ApiKeyEvent } from './domain/api-key.events.js';
export * from './domain/partner.decider.js';
export * from './domain/scopes.js';
export * from './domain/slug.js';

export const accounts: Aggregate<Account, AccountCommand, AccountEvent, AccountRejection> = {
  category: 'account',
  decider: accountDecider,
  auditedIn: ({ type }, { id }) => (type === 'AccountSettled' ? undefined : id),
};

export const apiKeys: Aggregate<ApiKey, ApiKeyCommand, ApiKeyEvent, ApiKeyRejection> = {
  category: 'apiKey',
  decider: apiKeyDecider,
  auditedIn: (_, { state }) => state.accountId,
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

export * from './coordinated.commands.js';
