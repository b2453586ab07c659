import { Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { UpdatePrinter } from '../../../contexts/devices/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { RequestOrigin } from '../../../http/request.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { printerResource, settingsFrom, PrinterChangesBody } from '../../resources/printer.resource.js';
import { OperatorOperation } from '../operator.surface.js';

@Controller()
export class OperatorPrintersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly printers: PrinterQueries,
    private readonly liveness: LivenessStore,
    private readonly clock: Clock,
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
    const command = new UpdatePrinter({ computerId, printerId, settings, at: this.clock.now(), by });
    orRefuse('operator', await this.commands.execute(command));
    const printer = orNotFound(await this.printers.findPrinter(printerId), 'PRINTER_NOT_FOUND');
    const [seen] = await this.liveness.lastHeartbeats([`computer:${computerId}`]);
    return { account_id: printer.account_id, ...printerResource(printer, seen) };
  }
}
