import { Controller, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { JobQueries } from '../../../../projections/job-view/job-view.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { COMPUTER_STATUSES, PRINTER_STATUSES } from '../../../contexts/devices/index.js';
import { type JobDraft, renderTestPage, SubmitJob } from '../../../contexts/jobs/index.js';
import { RecentRestore } from '../../../contexts/recovery/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { answer } from '../../../http/answer.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { oneOf, uuid } from '../../../http/validation/rules.js';
import { sha256 } from '../../../kernel/ids.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { ListQuery, page } from '../../lists.js';
import { RESTORED_FROM, restoredFrom } from '../../print-request.js';
import { Computer, computerResource, lastSeen } from '../../resources/computer.resource.js';
import { jobResource, PrintJob } from '../../resources/print-job.resource.js';
import { Printer, printerResource } from '../../resources/printer.resource.js';
import type { AccountCaller, AccountPrincipal } from '../api-key.authenticator.js';
import { integration } from '../integration.surface.js';

export class ListComputersQuery extends ListQuery {
  @Field(oneOf(...COMPUTER_STATUSES), optional) status?: (typeof COMPUTER_STATUSES)[number];
}

export class ListPrintersQuery extends ListQuery {
  @Field(uuid(), optional) computer_id?: string;
  @Field(oneOf(...PRINTER_STATUSES), optional) status?: (typeof PRINTER_STATUSES)[number];
}

const Operation = operationsOf(integration, { tag: 'Printers' });

const testPrinter = Operation({
  id: 'testPrinter',
  route: 'POST /v1/svc-api-printers/:printer_id/test',
  summary: 'Print a test page',
  description: 'The page names printer, computer and time.',
  scopes: ['printers:read', 'jobs:create'],
  limit: { perMinute: 20 },
  success: {
    status: 202,
    description: 'The test page is queued as a job.',
    type: PrintJob,
    code: 'SVC_TEST_PRINT_ACCEPTED',
    example: { ...PrintJob.example, title: 'Test page' },
    headers: RESTORED_FROM,
  },
  errors: [
    'SVC_PLAN_LIMIT_REACHED',
    'SVC_VIRTUAL_PRINTERS_ONLY',
    'SVC_PRINTER_NOT_READY',
    'SVC_CONTENT_TYPE_NOT_SUPPORTED',
    'SVC_CONTENT_TOO_LARGE',
  ],
  statuses: { SVC_PLAN_LIMIT_REACHED: 409 },
});

@Controller()
export class DevicesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly printers: PrinterQueries,
    private readonly computers: ComputerQueries,
    private readonly jobs: JobQueries,
    private readonly liveness: LivenessStore,
    private readonly restore: RecentRestore,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'listComputers',
    route: 'GET /v1/svc-api-computers',
    summary: 'List computers',
    tag: 'Computers',
    description: 'Newest first.',
    scopes: ['computers:read'],
    limit: { perMinute: 120 },
    query: ListComputersQuery,
    success: ok('A page of computers.', Computer, { list: 'page' }),
  })
  async listComputers(@Query() query: ListComputersQuery, @Caller() { accountId }: AccountPrincipal) {
    const { items, total } = await this.computers.listComputers(accountId, { status: query.status }, query);
    const seen = await lastSeen(this.liveness, items);
    const resources = items.map((computer, i) => computerResource(computer, seen[i]));
    return page(resources, total, query);
  }

  @Operation({
    id: 'listPrinters',
    route: 'GET /v1/svc-api-printers',
    summary: 'List printers',
    description: 'Newest first. Removed printers are left out unless asked for with status=removed.',
    scopes: ['printers:read'],
    limit: { perMinute: 120 },
    query: ListPrintersQuery,
    success: ok('A page of printers.', Printer, { list: 'page' }),
    errors: ['SVC_COMPUTER_NOT_FOUND'],
  })
  async listPrinters(@Query() query: ListPrintersQuery, @Caller() { accountId }: AccountPrincipal) {
    const { computer_id: computerId, status } = query;
    if (computerId)
      orNotFound(await this.computers.getComputer(accountId, computerId), 'SVC_COMPUTER_NOT_FOUND');
    const { items, total } = await this.printers.listPrinters(accountId, { computerId, status }, query);
    const seen = await lastSeen(this.liveness, items);
    const resources = items.map((printer, i) => printerResource(printer, seen[i]));
    return page(resources, total, query);
  }

  @testPrinter
  async test(@Param('printer_id') printerId: string, @Caller() { accountId, by }: AccountCaller) {
    const printer = orNotFound(await this.printers.getPrinter(accountId, printerId), 'SVC_PRINTER_NOT_FOUND');
    const at = this.clock.now();
    const { name: printerName, printer_code: printerCode, computer_name: computerName } = printer;
    const types = printer.capabilities?.content_types ?? [];
    const rendered = await renderTestPage({ printerName, printerCode, computerName, at }, types);
    const draft: JobDraft = {
      accountId,
      source: 'test',
      printerId,
      ...rendered,
      contentHash: sha256(rendered.content),
      copies: 1,
      title: 'Test page',
    };
    const command = new SubmitJob({ draft, idempotencyKey: undefined, at, by });
    const submitted = orRefuse('integration', await this.commands.execute(command));
    const job = await this.jobs.getSubmittedJob(accountId, submitted);
    return answer(jobResource(job!, at), {
      headers: restoredFrom(this.restore, at),
    });
  }
}
