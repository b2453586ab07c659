import { command, type Outcome } from '../../../kernel/command.js';
import { accept, type Decider } from '../../../kernel/decider.js';
import { plus, type Instant, type Milliseconds } from '../../../kernel/time.js';

/** The store lacks an event that a computer has seen or a view has projected. */
export class RaiseRollbackAlarm extends command('RaiseRollbackAlarm')<
  {
    /** Undefined if the read models had projected the event. */
    computerId?: string;
    seen?: string;
  },
  Outcome<RollbackAlarm, StoreRollbackDetected, never>
> {}

export interface StoreRollbackDetected {
  readonly type: 'StoreRollbackDetected';
  readonly data: { readonly computerId?: string; readonly seen?: string; readonly alarmUntil: Instant };
}

export interface RollbackAlarm {
  readonly alarmUntil?: Instant;
}

/** Time for an operator to notice it, and for the other agents to connect again. */
const ALARM_MS: Milliseconds = 86_400_000;

/** Further reports during an alarm write nothing. */
export const rollbackAlarmDecider: Decider<RollbackAlarm, RaiseRollbackAlarm, StoreRollbackDetected, never> =
  {
    initialState: {},

    decide(alarm, { computerId, seen, at }) {
      if (isRaised(alarm, at)) return accept();
      const finder = { ...(computerId !== undefined && { computerId }), ...(seen !== undefined && { seen }) };
      const data = { ...finder, alarmUntil: plus(at, ALARM_MS) };
      return accept<StoreRollbackDetected>({ type: 'StoreRollbackDetected', data });
    },

    evolve: (_, { data }) => ({ alarmUntil: data.alarmUntil }),
  };

export function isRaised({ alarmUntil }: RollbackAlarm, at: Instant): boolean {
  return alarmUntil !== undefined && at < alarmUntil;
}
