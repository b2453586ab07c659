import { accountsProjection } from '../../projections/accounts/accounts.projection.js';
import {
  apiKeysProjection,
  partnerCredentialsProjection,
} from '../../projections/credentials/credentials.projection.js';
import { computersProjection } from '../../projections/computers/computers.projection.js';
import { jobViewProjection } from '../../projections/job-view/job-view.projection.js';
import { partnersProjection } from '../../projections/partners/partners.projection.js';
import { webhookDeliveriesProjection } from '../../projections/webhook-deliveries/webhook-deliveries.projection.js';
import type { StreamView } from '../event-sourcing/index.js';

/** A missing document of these views can be folded from the stream of the same id. */
export const streamViews: readonly StreamView[] = [
  { projection: accountsProjection, category: 'account' },
  { projection: apiKeysProjection, category: 'apiKey' },
  { projection: computersProjection, category: 'computer' },
  { projection: jobViewProjection, category: 'job' },
  { projection: partnerCredentialsProjection, category: 'partnerCredential' },
  { projection: partnersProjection, category: 'partner' },
  { projection: webhookDeliveriesProjection, category: 'delivery' },
];
