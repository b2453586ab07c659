import { Command, type Refused } from '../../kernel/command.js';
import type { Origin } from '../../kernel/recorded-event.js';
import type { Instant } from '../../kernel/time.js';
import type { AccountDetails, Plan } from './domain/account.events.js';

/** Default plan of a new account. */
export const DEFAULT_PLAN: Plan = { jobsPerMonth: null, maxContentBytes: 10_485_760, maxAutoRetries: 3 };

/** Opens an account under a unique slug: the requested one or none, else one derived from the name. */
export class RegisterAccount extends Command<Registered<'SlugTaken'>> {
  constructor(
    readonly details: Omit<AccountDetails, 'slug'>,
    readonly slug: string | undefined,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Opens a partner under a slug derived from its name. */
export class RegisterPartner extends Command<{ readonly id: string }> {
  constructor(
    readonly name: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** One account per partner and external id; a repeat returns the existing one. */
export class ProvisionAccount extends Command<Registered<'AccountClosed'>> {
  constructor(
    readonly partnerId: string,
    readonly externalId: string,
    readonly displayName: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type Registered<Code extends string> =
  { readonly ok: true; readonly id: string } | Refused<{ readonly code: Code }>;
