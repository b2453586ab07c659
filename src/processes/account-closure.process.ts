import type { AccountEvent } from '../contexts/accounts/domain/account.events.js';
import { EndJobsOfAccount } from '../contexts/jobs/coordinated.commands.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import type { Instant } from '../kernel/time.js';

export const accountClosure: Process<AccountEvent> = {
  name: 'account-closure',
  handles: ['AccountClosed', 'AccountSettled'],

  react(event) {
    const accountId = idOf(event.stream);
    if (event.type === 'AccountSettled') return [unschedule(accountId)];
    return [schedule(accountId, event.metadata.at)];
  },
};

export const accountClosureCommand = ({ subject }: Timer, at: Instant, by: Origin) =>
  new EndJobsOfAccount({ accountId: subject, at, by });
