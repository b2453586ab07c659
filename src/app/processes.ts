import type { Config } from '../config.js';
import type { TimedProcess } from '../kernel/process.js';
import { acceptGrace, handOffWatch, leaseExpiry, spoolWatch } from '../processes/job-silence.process.js';
import { accountClosure } from '../processes/account-closure.process.js';
import { alertWatch } from '../processes/alert-watch.process.js';
import { autoRetry, contentPurge, jobExpiry } from '../processes/job-endings.process.js';
import { makePresenceTimeout } from '../processes/presence-timeout.process.js';
import { webhookDeletion, webhookRetry } from '../processes/webhook-deliveries.process.js';

export function processesFor(config: Pick<Config, 'presenceTimeoutMs'>): readonly TimedProcess[] {
  return [
    leaseExpiry,
    acceptGrace,
    handOffWatch,
    spoolWatch,
    autoRetry,
    jobExpiry,
    contentPurge,
    accountClosure,
    makePresenceTimeout(config.presenceTimeoutMs),
    webhookRetry,
    webhookDeletion,
    alertWatch,
  ];
}
