import type { Config } from '../config.js';
import type { Command } from '../kernel/command.js';
import type { AnyProcess, Timer } from '../kernel/process.js';
import type { Origin, RecordedEvent } from '../kernel/recorded-event.js';
import type { Instant } from '../kernel/time.js';
import { acceptGrace, acceptGraceCommand } from '../processes/accept-grace.process.js';
import { accountClosure, accountClosureCommand } from '../processes/account-closure.process.js';
import { autoRetry, autoRetryCommand } from '../processes/auto-retry.process.js';
import { contentPurge, contentPurgeCommand } from '../processes/content-purge.process.js';
import { handOffWatch, handOffWatchCommand } from '../processes/hand-off-watch.process.js';
import { jobExpiry, jobExpiryCommand } from '../processes/job-expiry.process.js';
import { leaseExpiry, leaseExpiryCommand } from '../processes/lease-expiry.process.js';
import { makePresenceTimeout, presenceTimeoutCommand } from '../processes/presence-timeout.process.js';
import { spoolWatch, spoolWatchCommand } from '../processes/spool-watch.process.js';
import { webhookDeletion, webhookDeletionCommand } from '../processes/webhook-deletion.process.js';
import { webhookRetry, webhookRetryCommand } from '../processes/webhook-retry.process.js';

/** Result of a timer's command: whether it was accepted, and the stored events. */
interface Sent {
  readonly ok: boolean;
  readonly events?: readonly RecordedEvent[];
}

/** A process and the command for its due timers. */
export interface RunningProcess {
  readonly process: AnyProcess;
  readonly command: (timer: Timer, at: Instant, by: Origin) => Command<Sent>;
}

/** All processes of the service. */
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
  ];
}
