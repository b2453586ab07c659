import { Controller, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ComputerQueries } from '../../../projections/computers/computers.queries.js';
import { JobQueries } from '../../../projections/job-view/job-view.queries.js';
import { PrinterQueries } from '../../../projections/printers/printers.queries.js';
import { renderTestPage, SubmitJob, type JobDraft } from '../../contexts/jobs/index.js';
import { RecentRestore } from '../../contexts/recovery/index.js';
import { sha256 } from '../../kernel/ids.js';
import type { Origin } from '../../kernel/recorded-event.js';
import { Clock } from '../../ports/clock.port.js';
import { LivenessStore } from '../../ports/liveness-store.port.js';
import { answer } from '../../http/answer.js';
import { ApiError } from '../../http/errors/api-error.js';
import { refusalOf } from '../../http/errors/rejections.js';
import { Operation } from '../../http/operation.js';
import { Caller, RequestOrigin } from '../../http/request.js';
import { restoredFrom } from '../restored-from.js';
import { jobResource } from '../resources/print-job.resource.js';
import { printerResource } from '../resources/printer.resource.js';
import type { AccountPrincipal } from './account.principal.js';
import { page } from './page.js';
import { listPrinters, testPrinter } from './printers.operations.js';
import { submitRejections } from './rejections.js';
import { ListPrintersQuery } from './requests/device.queries.js';

@Controller()
export class PrintersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly printers: PrinterQueries,
    private readonly computers: ComputerQueries,
    private readonly jobs: JobQueries,
    private readonly liveness: LivenessStore,
    private readonly restore: RecentRestore,
    private readonly clock: Clock,
  ) {}

  @Operation(listPrinters)
  async list(@Query() query: ListPrintersQuery, @Caller() { accountId }: AccountPrincipal) {
    const { computer_id: computerId, status } = query;
    if (computerId && !(await this.computers.getComputer(accountId, computerId))) {
      throw new ApiError('SVC_COMPUTER_NOT_FOUND');
    }
    const { items, total } = await this.printers.listPrinters(accountId, { computerId, status }, query);
    const seen = await this.liveness.lastHeartbeats(
      items.map((printer) => `computer:${printer.computer_id}`),
    );
    const resources = items.map((printer, i) => printerResource(printer, seen[i]));
    return answer('SVC_OK', page(resources, total, query));
  }

  @Operation(testPrinter)
  async test(
    @Param('printer_id') printerId: string,
    @Caller() { accountId }: AccountPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const printer = await this.printers.getPrinter(accountId, printerId);
    if (!printer) throw new ApiError('SVC_PRINTER_NOT_FOUND');
    const at = this.clock.now();
    const content = await renderTestPage({
      printerName: printer.name,
      printerCode: printer.printer_code,
      computerName: printer.computer_name,
      at,
    });
    const draft: JobDraft = {
      accountId,
      source: 'test',
      printerId,
      contentType: 'pdf',
      content,
      contentHash: sha256(content),
      copies: 1,
      title: 'Test page',
    };
    const submitted = await this.commands.execute(new SubmitJob(draft, undefined, at, by));
    if (!submitted.ok) throw refusalOf(submitRejections, submitted.rejection);
    const job = await this.jobs.getJob(accountId, submitted.jobId);
    return answer('SVC_TEST_PRINT_ACCEPTED', jobResource(job!, at), {
      headers: restoredFrom(this.restore, at),
    });
  }
}
