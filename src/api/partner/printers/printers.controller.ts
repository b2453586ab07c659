import { Body, Controller, Headers, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import type { PrinterDocument } from '../../../../projections/printers/printers.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { UpdatePrinter } from '../../../contexts/devices/index.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import { CursorLists, pageAnswer } from '../../cursor-lists.js';
import { deviceStatusOf, type DeviceStatus } from '../devices/device.resource.js';
import { listPrinters, updatePrinter } from './printers.operations.js';
import { settingsFrom, UpdatePrinterBody } from '../../update-printer.request.js';
import { ListPrintersQuery } from '../partner.requests.js';
import { mustAllowNewResources, PartnerAccounts } from '../partner-accounts.js';
import type { PartnerPrincipal } from '../partner.authenticator.js';
import { partnerPrinterResource } from './printer.resource.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { refusalOf } from '../../errors/answers.js';

@Controller()
export class PartnerPrintersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: PartnerAccounts,
    private readonly lists: CursorLists,
    private readonly printers: PrinterQueries,
    private readonly computers: ComputerQueries,
    private readonly liveness: LivenessStore,
    private readonly clock: Clock,
  ) {}

  @Operation(listPrinters)
  async list(
    @Param('account_id') accountId: string,
    @Query() query: ListPrintersQuery,
    @Headers('if-none-match') known: string | undefined,
    @Caller() caller: PartnerPrincipal,
  ) {
    const list = this.lists.open('printers', caller, accountId, query);
    await this.accounts.known(caller, accountId);
    const { status, enabled, device_id: computerId } = query;
    if (computerId && !(await this.computers.getComputer(accountId, computerId))) {
      throw new ApiError('DEVICE_NOT_FOUND');
    }
    const filter = { status, enabled, computerId };
    const page = await list.read((keyset) => this.printers.listPartnerPrinters(accountId, filter, keyset));
    const devices = await this.devicesOf(accountId, page.documents);
    const mark = (printer: PrinterDocument) =>
      `${printer.printer_id} ${printer.sequence} ${devices.get(printer.computer_id)}`;
    return pageAnswer(page, known, mark, () => this.resources(page.documents, devices));
  }

  @Operation(updatePrinter)
  async update(
    @Param('account_id') accountId: string,
    @Param('printer_id') printerId: string,
    @Body() body: UpdatePrinterBody,
    @Caller() caller: PartnerPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const settings = settingsFrom(body);
    const account = await this.accounts.known(caller, accountId);
    const { computer_id } = await this.printer(accountId, printerId);
    mustAllowNewResources(account);
    const command = new UpdatePrinter({
      computerId: computer_id,
      printerId,
      settings,
      at: this.clock.now(),
      by,
    });
    const outcome = await this.commands.execute(command);
    if (!outcome.ok) throw refusalOf('partner', outcome.rejection);
    const printers = [await this.printer(accountId, printerId)];
    const [resource] = await this.resources(printers, await this.devicesOf(accountId, printers));
    return answer('PRINTER_UPDATED', resource);
  }

  private async printer(accountId: string, printerId: string): Promise<PrinterDocument> {
    const printer = await this.printers.getPrinter(accountId, printerId);
    if (!printer) throw new ApiError('PRINTER_NOT_FOUND');
    return printer;
  }

  /** Status of each printer's device, by device id. */
  private async devicesOf(accountId: string, printers: readonly PrinterDocument[]) {
    const ids = [...new Set(printers.map(({ computer_id }) => computer_id))];
    const computers = await this.computers.getComputers(accountId, ids);
    return new Map(computers.map(({ computer_id, status }) => [computer_id, deviceStatusOf(status)]));
  }

  private async resources(printers: readonly PrinterDocument[], devices: ReadonlyMap<string, DeviceStatus>) {
    const seen = await this.liveness.lastHeartbeats(
      printers.map(({ computer_id }) => `computer:${computer_id}`),
    );
    return printers.map((printer, i) =>
      partnerPrinterResource(printer, {
        status: devices.get(printer.computer_id) ?? 'offline',
        lastSeenAt: seen[i],
      }),
    );
  }
}
