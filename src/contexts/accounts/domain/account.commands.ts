import type { Origin } from '../../../kernel/recorded-event.js';
import type { Instant } from '../../../kernel/time.js';
import type { AccountDetails, Plan } from './account.events.js';

/** Opens an account. Its slug is already claimed. Repeating it writes nothing. */
export class OpenAccount {
  readonly kind = 'OpenAccount';
  constructor(
    readonly accountId: string,
    readonly details: AccountDetails,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class RenameAccount {
  readonly kind = 'RenameAccount';
  constructor(
    readonly accountId: string,
    readonly name: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class SuspendAccount {
  readonly kind = 'SuspendAccount';
  constructor(
    readonly accountId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

export class ResumeAccount {
  readonly kind = 'ResumeAccount';
  constructor(
    readonly accountId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** Final. Keys and device credentials die with it. */
export class CloseAccount {
  readonly kind = 'CloseAccount';
  constructor(
    readonly accountId: string,
    readonly reason: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** What a closed account still had under way has been ended. */
export class SettleAccount {
  readonly kind = 'SettleAccount';
  constructor(
    readonly accountId: string,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** Switches the Integration API of the account on or off. */
export class SwitchEnvironment {
  readonly kind = 'SwitchEnvironment';
  constructor(
    readonly accountId: string,
    readonly enabled: boolean,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
}

/** Changes the parts of the plan that are given. */
export class ChangePlan {
  readonly kind = 'ChangePlan';
  constructor(
    readonly accountId: string,
    readonly changes: Partial<Plan>,
    readonly at: Instant,
    readonly by: Origin,
  ) {}
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
