import * as accounts from '../../../src/contexts/accounts/domain/account.commands.js';
import type {
  AccountDetails,
  AccountEvent,
  Plan,
  ApiKeyEventData,
  ApiKeyEvent,
  PartnerCredentialEventData,
  PartnerCredentialEvent,
  PartnerEvent,
} from '../../../src/contexts/accounts/domain/account.events.js';
import * as apiKeys from '../../../src/contexts/accounts/domain/api-key.decider.js';
import * as credentials from '../../../src/contexts/accounts/domain/partner.decider.js';
import { CreatePartner } from '../../../src/contexts/accounts/domain/partner.decider.js';
import { NOON } from '../recorded.js';
import { ACCOUNT_ID } from './jobs.js';

export { ACCOUNT_ID };
export const PARTNER_ID = '019aa000-0000-7000-8000-0000000000c1';
export const KEY_ID = '019aa000-0000-7000-8000-0000000000c2';
export const CREDENTIAL_ID = '019aa000-0000-7000-8000-0000000000c3';
export const ACCOUNT_STREAM = `account-${ACCOUNT_ID}`;

const by = { actor: { kind: 'operator', id: 'operator' }, correlationId: 'correlation-1' } as const;

export const plan: Plan = { jobsPerMonth: 1000, maxContentBytes: 10_485_760, maxAutoRetries: 3 };
export const details: AccountDetails = { name: 'Acme', slug: 'acme', virtualPrintersOnly: false, plan };
export const ofPartner: AccountDetails = { ...details, partnerId: PARTNER_ID, externalId: 'customer-7' };

/** Account events. */
export const opened = {
  type: 'AccountOpened',
  data: { accountId: ACCOUNT_ID, ...details },
} satisfies AccountEvent;
export const provisioned = {
  type: 'AccountOpened',
  data: { accountId: ACCOUNT_ID, ...ofPartner },
} satisfies AccountEvent;
export const renamed = (name = 'Acme Ltd') =>
  ({ type: 'AccountRenamed', data: { name } }) satisfies AccountEvent;
export const suspended = { type: 'AccountSuspended', data: {} } satisfies AccountEvent;
export const resumed = { type: 'AccountResumed', data: {} } satisfies AccountEvent;
export const closed = { type: 'AccountClosed', data: { reason: 'moved away' } } satisfies AccountEvent;
export const switched = (enabled: boolean) =>
  ({ type: 'EnvironmentSwitched', data: { enabled } }) satisfies AccountEvent;
export const planChanged = (changes: Partial<Plan>) =>
  ({ type: 'PlanChanged', data: { plan: { ...plan, ...changes } } }) satisfies AccountEvent;

/** Account commands. */
export const open = new accounts.OpenAccount({ accountId: ACCOUNT_ID, details, at: NOON, by });
export const rename = (name = 'Acme Ltd') =>
  new accounts.RenameAccount({ accountId: ACCOUNT_ID, name, at: NOON, by });
export const suspend = new accounts.SuspendAccount({ accountId: ACCOUNT_ID, at: NOON, by });
export const resume = new accounts.ResumeAccount({ accountId: ACCOUNT_ID, at: NOON, by });
export const close = new accounts.CloseAccount({ accountId: ACCOUNT_ID, reason: 'moved away', at: NOON, by });
export const switchEnvironment = (enabled: boolean) =>
  new accounts.SwitchEnvironment({ accountId: ACCOUNT_ID, enabled, at: NOON, by });
export const changePlan = (changes: Partial<Plan>) =>
  new accounts.ChangePlan({ accountId: ACCOUNT_ID, changes, at: NOON, by });

/** API keys. */
export const key: Omit<ApiKeyEventData['ApiKeyCreated'], 'keyId'> = {
  accountId: ACCOUNT_ID,
  name: 'backend',
  scopes: ['jobs:read', 'jobs:create'],
  hash: 'b'.repeat(64),
  last4: 'x9Zq',
};
export const keyCreated = {
  type: 'ApiKeyCreated',
  data: { keyId: KEY_ID, ...key },
} satisfies ApiKeyEvent;
export const keyRevoked = { type: 'ApiKeyRevoked', data: {} } satisfies ApiKeyEvent;
export const createKey = (scopes: readonly string[] = key.scopes) =>
  new apiKeys.CreateApiKey({ keyId: KEY_ID, key: { ...key, scopes }, at: NOON, by });
export const revokeKey = new apiKeys.RevokeApiKey({ keyId: KEY_ID, at: NOON, by });

/** Partners and their credentials. */
export const partnerCreated = {
  type: 'PartnerCreated',
  data: { partnerId: PARTNER_ID, name: 'Till Systems', slug: 'till-systems' },
} satisfies PartnerEvent;
export const createPartner = new CreatePartner({
  partnerId: PARTNER_ID,
  name: 'Till Systems',
  slug: 'till-systems',
  at: NOON,
  by,
});

export const partnerCredential: Omit<PartnerCredentialEventData['PartnerCredentialCreated'], 'credentialId'> =
  {
    partnerId: PARTNER_ID,
    kind: 'live',
    scopes: ['accounts:write', 'jobs:write'],
    hash: 'c'.repeat(64),
    last4: 'k3Lm',
  };
export const credentialCreated = {
  type: 'PartnerCredentialCreated',
  data: { credentialId: CREDENTIAL_ID, ...partnerCredential },
} satisfies PartnerCredentialEvent;
export const credentialRevoked = {
  type: 'PartnerCredentialRevoked',
  data: {},
} satisfies PartnerCredentialEvent;
export const createCredential = (
  kind: 'live' | 'test' = 'live',
  scopes: readonly string[] = partnerCredential.scopes,
) =>
  new credentials.CreatePartnerCredential({
    credentialId: CREDENTIAL_ID,
    credential: { ...partnerCredential, kind, scopes },
    at: NOON,
    by,
  });
export const revokeCredential = new credentials.RevokePartnerCredential({
  credentialId: CREDENTIAL_ID,
  at: NOON,
  by,
});
