import { Body, Controller, Param } from '@nestjs/common';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { RequestOrigin } from '../../../http/request.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { ComputerAdministration } from '../../computer-administration.js';
import { printerResource, settingsFrom, PrinterChangesBody } from '../../resources/printer.resource.js';
import { OperatorOperation } from '../operator.surface.js';

@Controller()
export class OperatorPrintersController {
  constructor(
    private readonly administration: ComputerAdministration,
    private readonly printers: PrinterQueries,
    private readonly liveness: LivenessStore,
  ) {}

  @OperatorOperation({
    id: 'updatePrinter',
    route: 'POST /v1/operator/printers/:id',
    summary: 'Enable, disable, pause, resume or rename a printer, or set how it takes text',
    params: { id: 'PRINTER_NOT_FOUND' },
    body: PrinterChangesBody,
  })
  async update(
    @Param('id') printerId: string,
    @Body() body: PrinterChangesBody,
    @RequestOrigin() by: Origin,
  ) {
    const settings = settingsFrom(body);
    const computerId = orNotFound(await this.printers.computerOf(printerId), 'PRINTER_NOT_FOUND');
    await this.administration.updatePrinter(computerId, printerId, settings, by);
    const printer = orNotFound(await this.printers.findPrinter(printerId), 'PRINTER_NOT_FOUND');
    const [seen] = await this.liveness.lastHeartbeats([`computer:${computerId}`]);
    return { account_id: printer.account_id, ...printerResource(printer, seen) };
  }
}
