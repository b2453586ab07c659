import { Body, Controller, Param } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { UpdatePrinter } from '../../../contexts/devices/index.js';
import { answer } from '../../../http/answer.js';
import { ApiError } from '../../../http/errors/api-error.js';
import { Operation } from '../../../http/operation.js';
import { Caller, RequestOrigin } from '../../../http/request.js';
import type { Origin } from '../../../kernel/recorded-event.js';
import { Clock } from '../../../kernel/time.js';
import { ComputerAdministration } from '../../computer-administration.js';
import { Enrollments } from '../../enrollments.js';
import { computerResource } from '../../resources/computer.resource.js';
import { printerResource } from '../../resources/printer.resource.js';
import { settingsFrom, UpdatePrinterBody } from '../../update-printer.request.js';
import {
  createEnrollment,
  disableComputer,
  enableComputer,
  revokeComputer,
  updatePrinter,
} from './devices.operations.js';
import { EnrollmentBody } from '../panel.requests.js';
import type { MemberPrincipal } from '../session.authenticator.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { refusalOf } from '../../errors/answers.js';

@Controller()
export class PanelDevicesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountQueries,
    private readonly computers: ComputerQueries,
    private readonly printers: PrinterQueries,
    private readonly administration: ComputerAdministration,
    private readonly enrollments: Enrollments,
    private readonly liveness: LivenessStore,
    private readonly clock: Clock,
  ) {}

  @Operation(createEnrollment)
  async enrollment(
    @Body() { ttl }: EnrollmentBody,
    @Caller() { accountId }: MemberPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const account = await this.accounts.getAccount(accountId);
    if (account?.status === 'closed') throw new ApiError('ACCOUNT_CLOSED');
    return answer('OK', await this.enrollments.create(accountId, ttl, by));
  }

  @Operation(disableComputer)
  disable(@Param('computer_id') id: string, @Caller() caller: MemberPrincipal, @RequestOrigin() by: Origin) {
    return this.change(caller, id, () => this.administration.disable(id, by));
  }

  @Operation(enableComputer)
  enable(@Param('computer_id') id: string, @Caller() caller: MemberPrincipal, @RequestOrigin() by: Origin) {
    return this.change(caller, id, () => this.administration.enable(id, by));
  }

  @Operation(revokeComputer)
  revoke(@Param('computer_id') id: string, @Caller() caller: MemberPrincipal, @RequestOrigin() by: Origin) {
    const reason = 'revoked by a member of the account';
    return this.change(caller, id, () => this.administration.revoke(id, reason, by));
  }

  @Operation(updatePrinter)
  async update(
    @Param('printer_id') printerId: string,
    @Body() body: UpdatePrinterBody,
    @Caller() { accountId }: MemberPrincipal,
    @RequestOrigin() by: Origin,
  ) {
    const settings = settingsFrom(body);
    const { computer_id } = await this.printer(accountId, printerId);
    const command = new UpdatePrinter({
      computerId: computer_id,
      printerId,
      settings,
      at: this.clock.now(),
      by,
    });
    const outcome = await this.commands.execute(command);
    if (!outcome.ok) throw refusalOf('panel', outcome.rejection);
    const [seen] = await this.liveness.lastHeartbeats([`computer:${computer_id}`]);
    return answer('OK', printerResource(await this.printer(accountId, printerId), seen));
  }

  private async change({ accountId }: MemberPrincipal, computerId: string, act: () => Promise<void>) {
    await this.computer(accountId, computerId);
    await act();
    const [seen] = await this.liveness.lastHeartbeats([`computer:${computerId}`]);
    return answer('OK', computerResource(await this.computer(accountId, computerId), seen));
  }

  private async computer(accountId: string, computerId: string) {
    const computer = await this.computers.getComputer(accountId, computerId);
    if (!computer) throw new ApiError('COMPUTER_NOT_FOUND');
    return computer;
  }

  private async printer(accountId: string, printerId: string) {
    const printer = await this.printers.getPrinter(accountId, printerId);
    if (!printer) throw new ApiError('PRINTER_NOT_FOUND');
    return printer;
  }
}
