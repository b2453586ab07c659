import { accountsProjection, partnersProjection } from '../../projections/accounts/accounts.projection.js';
import { availabilityProjection } from '../../projections/availability/availability.projection.js';
import { auditProjection } from '../../projections/audit/audit.projection.js';
import {
  apiKeysProjection,
  partnerCredentialsProjection,
} from '../../projections/credentials/credentials.projection.js';
import { computersProjection } from '../../projections/computers/computers.projection.js';
import { jobViewProjection } from '../../projections/job-view/job-view.projection.js';
import { membersProjection } from '../../projections/members/members.projection.js';
import { printersProjection } from '../../projections/printers/printers.projection.js';
import { webhookDeliveriesProjection } from '../../projections/webhook-deliveries/webhook-deliveries.projection.js';
import { webhookEndpointsProjection } from '../../projections/webhook-endpoints/webhook-endpoints.projection.js';
import type { Config } from '../config.js';
import type { AnyProjection } from '../kernel/projection.js';
import { jobView } from '../../projections/job-view/job-view.js';
import { jobProcesses, otherProcesses } from './processes.js';
import { TIMERS_APART, timersProjection, withTimers, type TimedView } from '../event-sourcing/index.js';

/** Documents of jobs refer to their timers. */
export const TIMED_VIEWS: readonly TimedView[] = [
  TIMERS_APART,
  { view: jobView, subject: 'job_id', category: 'job' },
];

export function projectionsFor(config: Pick<Config, 'presenceTimeoutMs'>): readonly AnyProjection[] {
  return [
    withTimers(jobViewProjection, jobProcesses),
    accountsProjection,
    apiKeysProjection,
    membersProjection,
    auditProjection,
    partnersProjection,
    partnerCredentialsProjection,
    computersProjection,
    printersProjection,
    availabilityProjection,
    webhookEndpointsProjection,
    webhookDeliveriesProjection,
    timersProjection(otherProcesses(config)),
  ];
}
