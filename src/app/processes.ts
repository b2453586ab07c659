import type { Config } from '../config.js';
import type { Command } from '../kernel/command.js';
import type { AnyProcess, Timer } from '../kernel/process.js';
import type { Origin, RecordedEvent } from '../kernel/recorded-event.js';
import type { Instant } from '../kernel/time.js';
import {
  acceptGrace,
  acceptGraceCommand,
  handOffWatch,
  handOffWatchCommand,
  leaseExpiry,
  leaseExpiryCommand,
  spoolWatch,
  spoolWatchCommand,
} from '../processes/job-silence.process.js';
import { accountClosure, accountClosureCommand } from '../processes/account-closure.process.js';
import { alertWatch, alertWatchCommand } from '../processes/alert-watch.process.js';
import {
  autoRetry,
  autoRetryCommand,
  contentPurge,
  contentPurgeCommand,
  jobExpiry,
  jobExpiryCommand,
} from '../processes/job-endings.process.js';
import { makePresenceTimeout, presenceTimeoutCommand } from '../processes/presence-timeout.process.js';
import {
  webhookDeletion,
  webhookDeletionCommand,
  webhookRetry,
  webhookRetryCommand,
} from '../processes/webhook-deliveries.process.js';

interface Sent {
  readonly ok: boolean;
  readonly events?: readonly RecordedEvent[];
}

export interface RunningProcess {
  readonly process: AnyProcess;
  readonly command: (timer: Timer, at: Instant, by: Origin) => Command<Sent>;
}

export function processesFor(config: Pick<Config, 'presenceTimeoutMs'>): readonly RunningProcess[] {
  return [
    { process: leaseExpiry, command: leaseExpiryCommand },
    { process: acceptGrace, command: acceptGraceCommand },
    { process: handOffWatch, command: handOffWatchCommand },
    { process: spoolWatch, command: spoolWatchCommand },
    { process: autoRetry, command: autoRetryCommand },
    { process: jobExpiry, command: jobExpiryCommand },
    { process: contentPurge, command: contentPurgeCommand },
    { process: accountClosure, command: accountClosureCommand },
    { process: makePresenceTimeout(config.presenceTimeoutMs), command: presenceTimeoutCommand },
    { process: webhookRetry, command: webhookRetryCommand },
    { process: webhookDeletion, command: webhookDeletionCommand },
    { process: alertWatch, command: alertWatchCommand },
  ];
}
