import { accountDecider } from './domain/account.decider.js';
import { apiKeyDecider } from './domain/api-key.decider.js';
import { partnerCredentialDecider, partnerDecider } from './domain/partner.decider.js';
import { aggregate } from '../../event-sourcing/index.js';

export * from './domain/account.commands.js';
export type { Account } from './domain/account.decider.js';
export {
  ACCOUNT_STATUSES,
  type AccountEvent,
  type AccountStatus,
  type ApiKeyEvent,
} from './domain/account.events.js';
export * from './domain/api-key.decider.js';
export * from './domain/partner.decider.js';
export * from './domain/scopes.js';
export * from './domain/slug.js';

export const accounts = aggregate({
  category: 'account',
  decider: accountDecider,
  auditedIn: ({ type }, { id }) => (type === 'AccountSettled' ? undefined : id),
});

export const apiKeys = aggregate({
  category: 'apiKey',
  decider: apiKeyDecider,
  auditedIn: (_, { state }) => state.accountId,
});

export const partners = aggregate({ category: 'partner', decider: partnerDecider });

export const partnerCredentials = aggregate({
  category: 'partnerCredential',
  decider: partnerCredentialDecider,
});

export * from './coordinated.commands.js';
