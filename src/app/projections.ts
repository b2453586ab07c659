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
import { processesFor } from './processes.js';
import { timersProjection } from '../event-sourcing/index.js';

export function projectionsFor(config: Pick<Config, 'presenceTimeoutMs'>): readonly AnyProjection[] {
  return [
    jobViewProjection,
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
    timersProjection(processesFor(config)),
  ];
}
