import { command, type Refused } from '../../kernel/command.js';
import type { AccountDetails, Plan } from './domain/account.events.js';

export const DEFAULT_PLAN: Plan = { jobsPerMonth: null, maxContentBytes: 10_485_760, maxAutoRetries: 3 };

/** Opens an account under a unique slug: the requested one or none, else one derived from the name. */
export class RegisterAccount extends command('RegisterAccount')<
  { details: Omit<AccountDetails, 'slug'>; slug?: string },
  Registered<'SlugTaken'>
> {}

export class RegisterPartner extends command('RegisterPartner')<{ name: string }, { readonly id: string }> {}

/** One account per partner and external id; a repeat returns the existing one. */
export class ProvisionAccount extends command('ProvisionAccount')<
  { partnerId: string; externalId: string; displayName: string },
  Registered<'AccountClosed'>
> {}

export type Registered<Code extends string> =
  { readonly ok: true; readonly id: string } | Refused<{ readonly code: Code }>;
