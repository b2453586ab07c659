import type { AccountEvent } from '../contexts/accounts/domain/account.events.js';
import { EndJobsOfAccount } from '../contexts/jobs/coordinated.commands.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type TimedProcess } from '../kernel/process.js';

export const accountClosure: TimedProcess<AccountEvent> = {
  name: 'account-closure',
  handles: ['AccountClosed', 'AccountSettled'],

  react(event) {
    const accountId = idOf(event.stream);
    if (event.type === 'AccountSettled') return [unschedule(accountId)];
    return [schedule(accountId, event.metadata.at)];
  },

  command: ({ subject }, at, by) => new EndJobsOfAccount({ accountId: subject, at, by }),
};
