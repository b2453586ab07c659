import type { ComputerEvent } from '../contexts/devices/domain/computer.events.js';
import { MarkComputerOffline } from '../contexts/devices/domain/computer.commands.js';
import { idOf } from '../kernel/ids.js';
import { schedule, unschedule, type Process, type Timer } from '../kernel/process.js';
import type { Origin } from '../kernel/recorded-event.js';
import { plus, type Instant, type Milliseconds } from '../kernel/time.js';

export function makePresenceTimeout(timeoutMs: Milliseconds): Process<ComputerEvent> {
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
  };
}

export const presenceTimeoutCommand = ({ subject }: Timer, at: Instant, by: Origin) =>
  new MarkComputerOffline({ computerId: subject, at, by });
