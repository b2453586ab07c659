import { command, type Outcome } from '../../../kernel/command.js';
import type { AccountDetails, AccountEvent, Plan } from './account.events.js';

export type AccountRejection = { readonly code: 'AccountNotFound' } | { readonly code: 'AccountClosed' };

type AccountOutcome = Outcome<unknown, AccountEvent, AccountRejection>;

/** Opens an account whose slug is already claimed. Repeating it writes nothing. */
export class OpenAccount extends command('OpenAccount')<
  { accountId: string; details: AccountDetails },
  AccountOutcome
> {}

export class RenameAccount extends command('RenameAccount')<
  { accountId: string; name: string },
  AccountOutcome
> {}

export class SuspendAccount extends command('SuspendAccount')<{ accountId: string }, AccountOutcome> {}

export class ResumeAccount extends command('ResumeAccount')<{ accountId: string }, AccountOutcome> {}

/** Final. Also ends its keys and device credentials. */
export class CloseAccount extends command('CloseAccount')<
  { accountId: string; reason: string },
  AccountOutcome
> {}

/** Precondition: every job that had to end with the account has ended. */
export class SettleAccount extends command('SettleAccount')<{ accountId: string }, AccountOutcome> {}

export class SwitchEnvironment extends command('SwitchEnvironment')<
  { accountId: string; enabled: boolean },
  AccountOutcome
> {}

export class ChangePlan extends command('ChangePlan')<
  { accountId: string; changes: Partial<Plan> },
  AccountOutcome
> {}

export type AccountCommand =
  | OpenAccount
  | RenameAccount
  | SuspendAccount
  | ResumeAccount
  | CloseAccount
  | SettleAccount
  | SwitchEnvironment
  | ChangePlan;
