import { Command, type Outcome } from '../../../kernel/command.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { AccountDetails, AccountEvent, Plan } from './account.events.js';

export type AccountRejection = { readonly code: 'AccountNotFound' } | { readonly code: 'AccountClosed' };

type AccountOutcome = Outcome<unknown, AccountEvent, AccountRejection>;

/** Opens an account whose slug is already claimed. Repeating it writes nothing. */
export class OpenAccount extends Command<AccountOutcome> {
  readonly kind = 'OpenAccount';
  constructor(
    readonly accountId: string,
    readonly details: AccountDetails,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class RenameAccount extends Command<AccountOutcome> {
  readonly kind = 'RenameAccount';
  constructor(
    readonly accountId: string,
    readonly name: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class SuspendAccount extends Command<AccountOutcome> {
  readonly kind = 'SuspendAccount';
  constructor(
    readonly accountId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export class ResumeAccount extends Command<AccountOutcome> {
  readonly kind = 'ResumeAccount';
  constructor(
    readonly accountId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Final. Also ends its keys and device credentials. */
export class CloseAccount extends Command<AccountOutcome> {
  readonly kind = 'CloseAccount';
  constructor(
    readonly accountId: string,
    readonly reason: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** All jobs of the closed account that had to end have ended. */
export class SettleAccount extends Command<AccountOutcome> {
  readonly kind = 'SettleAccount';
  constructor(
    readonly accountId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Switches the Integration API of the account on or off. */
export class SwitchEnvironment extends Command<AccountOutcome> {
  readonly kind = 'SwitchEnvironment';
  constructor(
    readonly accountId: string,
    readonly enabled: boolean,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

/** Changes the given fields of the plan. */
export class ChangePlan extends Command<AccountOutcome> {
  readonly kind = 'ChangePlan';
  constructor(
    readonly accountId: string,
    readonly changes: Partial<Plan>,
    readonly at: Instant,
    readonly by: Origin,
  ) {
    super();
  }
}

export type AccountCommand =
  | OpenAccount
  | RenameAccount
  | SuspendAccount
  | ResumeAccount
  | CloseAccount
  | SettleAccount
  | SwitchEnvironment
  | ChangePlan;
