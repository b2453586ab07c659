import type { Config } from '../config.js';
import type { TimedProcess } from '../kernel/process.js';
import { acceptGrace, handOffWatch, leaseExpiry, spoolWatch } from '../processes/job-silence.process.js';
import { accountClosure } from '../processes/account-closure.process.js';
import { alertWatch } from '../processes/alert-watch.process.js';
import { autoRetry, contentPurge, jobExpiry } from '../processes/job-endings.process.js';
import { makePresenceTimeout } from '../processes/presence-timeout.process.js';
import { webhookDeletion, webhookRetry } from '../processes/webhook-deliveries.process.js';

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
