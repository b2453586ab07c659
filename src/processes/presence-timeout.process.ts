import type { ComputerEvent } from '../contexts/devices/domain/computer.events.js';
import { MarkComputerOffline } from '../contexts/devices/domain/computer.commands.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type TimedProcess } from '../kernel/process.js';
import { plus, type Milliseconds } from '../kernel/time.js';

export function makePresenceTimeout(timeoutMs: Milliseconds): TimedProcess<ComputerEvent> {
  return {
    name: 'presence-timeout',
    handles: [
      'ComputerCameOnline',
      'ComputerWentOffline',
      'ComputerReenrolled',
      'ComputerDisabled',
      'ComputerRevoked',
    ],

    react(event) {
      const computerId = idOf(event.stream);
      if (event.type !== 'ComputerCameOnline') return [unschedule(computerId)];
      const keptAlive = { by: `computer:${computerId}`, forMs: timeoutMs };
      return [schedule(computerId, plus(event.metadata.at, timeoutMs), {}, keptAlive)];
    },

    command: ({ subject }, at, by) => new MarkComputerOffline({ computerId: subject, at, by }),
  };
}
