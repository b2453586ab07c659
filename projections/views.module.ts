import { Global, Module } from '@nestjs/common';
import { AccountQueries } from './accounts/accounts.queries.js';
import { ViewAlertFacts } from './alert-facts/alert-facts.queries.js';
import { AuditQueries } from './audit/audit.queries.js';
import { AvailabilityQueries } from './availability/availability.queries.js';
import { ComputerQueries } from './computers/computers.queries.js';
import { ApiKeyQueries, PartnerCredentialQueries } from './credentials/credentials.queries.js';
import { JobHistoryQueries } from './job-history/job-history.queries.js';
import { JobQueries } from './job-view/job-view.queries.js';
import { JobSearch } from './job-view/job-search.js';
import { ViewJobLists } from './job-view/view-job-lists.js';
import { MemberQueries } from './members/members.queries.js';
import { PartnerQueries } from './partners/partners.queries.js';
import { PrinterQueries } from './printers/printers.queries.js';
import { DeliveryQueries } from './webhook-deliveries/webhook-deliveries.queries.js';
import { WebhookQueries } from './webhook-endpoints/webhook-endpoints.queries.js';
import { AlertFacts } from '../src/contexts/alerts/ports.js';
import { ComputerLists, JobLists, PrinterDirectory } from '../src/contexts/jobs/ports.js';
import { ActiveWebhooks, PendingDeliveries } from '../src/contexts/webhooks/ports.js';

const queries = [
  AccountQueries,
  ApiKeyQueries,
  AuditQueries,
  AvailabilityQueries,
  ComputerQueries,
  DeliveryQueries,
  JobHistoryQueries,
  JobQueries,
  JobSearch,
  MemberQueries,
  PartnerCredentialQueries,
  PartnerQueries,
  PrinterQueries,
  WebhookQueries,
];

/** Ports of contexts that views answer. */
const ports = [
  { provide: AlertFacts, useClass: ViewAlertFacts },
  { provide: JobLists, useClass: ViewJobLists },
  { provide: ActiveWebhooks, useExisting: WebhookQueries },
  { provide: ComputerLists, useExisting: ComputerQueries },
  { provide: PendingDeliveries, useExisting: DeliveryQueries },
  { provide: PrinterDirectory, useExisting: PrinterQueries },
];

@Global()
@Module({
  providers: [...queries, ...ports],
  exports: [...queries, ...ports.map(({ provide }) => provide)],
})
export class ViewsModule {}
