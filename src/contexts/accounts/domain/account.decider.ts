import { accept, reject, type Decider, type Decision } from '../../../kernel/decider.js';
import type { AccountCommand, AccountRejection } from './account.commands.js';
import type { AccountEvent, AccountStatus, Plan } from './account.events.js';

interface OpenedAccount {
  readonly status: AccountStatus;
  readonly name: string;
  readonly slug: string;
  readonly environmentEnabled: boolean;
  readonly virtualPrintersOnly: boolean;
  readonly plan: Plan;
  readonly partnerId?: string;
  readonly settled?: boolean;
}

export type Account = { readonly status: 'absent' } | OpenedAccount;

type AccountDecision = Decision<AccountEvent, AccountRejection>;
type Change = Exclude<AccountCommand, { kind: 'OpenAccount' | 'CloseAccount' | 'SettleAccount' }>;

export const accountDecider: Decider<Account, AccountCommand, AccountEvent, AccountRejection> = {
  initialState: { status: 'absent' },

  decide(account, command) {
    if (command.kind === 'OpenAccount') {
      if (account.status !== 'absent') return accept();
      return accept({
        type: 'AccountOpened',
        data: { accountId: command.accountId, ...command.details },
      });
    }
    if (account.status === 'absent') return reject({ code: 'AccountNotFound' });
    if (command.kind === 'CloseAccount') {
      if (account.status === 'closed') return accept();
      return accept({ type: 'AccountClosed', data: { reason: command.reason } });
    }
    if (command.kind === 'SettleAccount') {
      if (account.status !== 'closed' || account.settled) return accept();
      return accept({ type: 'AccountSettled', data: {} });
    }
    return account.status === 'closed' ? reject({ code: 'AccountClosed' }) : change(account, command);
  },

  evolve(account, event) {
    if (event.type === 'AccountOpened') {
      const { name, slug, plan, partnerId, virtualPrintersOnly } = event.data;
      return { status: 'active', name, slug, plan, partnerId, virtualPrintersOnly, environmentEnabled: true };
    }
    return account.status === 'absent' ? account : evolved(account, event);
  },
};

function change(account: OpenedAccount, command: Change): AccountDecision {
  switch (command.kind) {
    case 'RenameAccount':
      if (command.name === account.name) return accept();
      return accept<AccountEvent>({ type: 'AccountRenamed', data: { name: command.name } });
    case 'SuspendAccount':
      if (account.status === 'suspended') return accept();
      return accept<AccountEvent>({ type: 'AccountSuspended', data: {} });
    case 'ResumeAccount':
      if (account.status === 'active') return accept();
      return accept<AccountEvent>({ type: 'AccountResumed', data: {} });
    case 'SwitchEnvironment':
      if (command.enabled === account.environmentEnabled) return accept();
      return accept<AccountEvent>({ type: 'EnvironmentSwitched', data: { enabled: command.enabled } });
    case 'ChangePlan':
      return changePlan(account.plan, command.changes);
  }
}

function changePlan(plan: Plan, changes: Partial<Plan>): AccountDecision {
  const next: Plan = {
    // Null is a value here: no limit.
    jobsPerMonth: changes.jobsPerMonth === undefined ? plan.jobsPerMonth : changes.jobsPerMonth,
    maxContentBytes: changes.maxContentBytes ?? plan.maxContentBytes,
    maxAutoRetries: changes.maxAutoRetries ?? plan.maxAutoRetries,
  };
  const same =
    next.jobsPerMonth === plan.jobsPerMonth &&
    next.maxContentBytes === plan.maxContentBytes &&
    next.maxAutoRetries === plan.maxAutoRetries;
  return same ? accept() : accept<AccountEvent>({ type: 'PlanChanged', data: { plan: next } });
}

function evolved(
  account: OpenedAccount,
  event: Exclude<AccountEvent, { type: 'AccountOpened' }>,
): OpenedAccount {
  switch (event.type) {
    case 'AccountRenamed':
      return { ...account, name: event.data.name };
    case 'AccountSuspended':
      return { ...account, status: 'suspended' };
    case 'AccountResumed':
      return { ...account, status: 'active' };
    case 'AccountClosed':
      return { ...account, status: 'closed' };
    case 'AccountSettled':
      return { ...account, settled: true };
    case 'EnvironmentSwitched':
      return { ...account, environmentEnabled: event.data.enabled };
    case 'PlanChanged':
      return { ...account, plan: event.data.plan };
  }
}
