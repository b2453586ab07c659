import type { CommandBus } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { TimerLoop, type DueTimers, type SendDue, type Stores } from '../event-sourcing/index.js';
import type { TimedProcess } from '../kernel/process.js';
import type { Clock } from '../kernel/time.js';
import { acceptGrace, handOffWatch, leaseExpiry, spoolWatch } from '../processes/job-silence.process.js';
import { accountClosure } from '../processes/account-closure.process.js';
import { alertWatch } from '../processes/alert-watch.process.js';
import { autoRetry, contentPurge, jobExpiry } from '../processes/job-endings.process.js';
import { makePresenceTimeout } from '../processes/presence-timeout.process.js';
import { webhookDeletion, webhookRetry } from '../processes/webhook-deliveries.process.js';
import { retriedFailures } from './retried-failures.js';

export const jobProcesses: readonly TimedProcess[] = [
  leaseExpiry,
  acceptGrace,
  handOffWatch,
  spoolWatch,
  autoRetry,
  jobExpiry,
  contentPurge,
];

export function otherProcesses(config: Pick<Config, 'presenceTimeoutMs'>): readonly TimedProcess[] {
  return [
    accountClosure,
    makePresenceTimeout(config.presenceTimeoutMs),
    webhookRetry,
    webhookDeletion,
    alertWatch,
  ];
}

export function processesFor(config: Pick<Config, 'presenceTimeoutMs'>): readonly TimedProcess[] {
  return [...jobProcesses, ...otherProcesses(config)];
}

interface TimerSources {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: Pick<Config, 'presenceTimeoutMs'>;
}

export function timerLoopOf(
  timers: DueTimers,
  { stores, clock, logger, config }: TimerSources,
  commands: CommandBus,
): TimerLoop {
  const byName = new Map(processesFor(config).map((process) => [process.name, process]));
  const send: SendDue = async (timer, at, by) => {
    const process = byName.get(timer.process);
    if (!process) throw new Error(`no process named ${timer.process}`);
    const outcome = await commands.execute(process.command(timer, at, by));
    return outcome.ok && (outcome.events?.length ?? 0) > 0;
  };
  const failures = retriedFailures(logger);
  return new TimerLoop(timers, stores.liveness, stores.events, clock, send, {
    onError: (error, timer) =>
      failures(error, 'a timer failed; it will be retried', {
        timer: timer && `${timer.process}:${timer.subject}`,
      }),
  });
}
