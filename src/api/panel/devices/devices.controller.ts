import { Body, Controller, Param } from '@nestjs/common';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { created, ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { integer, name } from '../../../http/validation/rules.js';
import { ComputerAdministration, Enrollment } from '../../computer-administration.js';
import { Computer, computerResource } from '../../resources/computer.resource.js';
import {
  Printer,
  PrinterChangesBody,
  printerResource,
  settingsFrom,
} from '../../resources/printer.resource.js';
import { panel } from '../panel.surface.js';
import type { MemberCaller, MemberPrincipal } from '../session.authenticator.js';

export class EnrollmentBody {
  @Field(integer(60, 1800), optional) ttl: number = 600;
}

export class RenameBody {
  @Field(name({ min: 0, max: 120 }), { description: 'Empty = the reported name again' })
  display_name!: string;
}

const ofComputers = { tag: 'Computers', scopes: ['computers:write'] } as const;

const changed = ok('The computer as it is now.', Computer);

const Operation = operationsOf(panel, { limit: { perMinute: 60 } });

@Controller()
export class PanelDevicesController {
  constructor(
    private readonly accounts: AccountQueries,
    private readonly computers: ComputerQueries,
    private readonly printers: PrinterQueries,
    private readonly administration: ComputerAdministration,
    private readonly liveness: LivenessStore,
  ) {}

  @Operation({
    ...ofComputers,
    id: 'createEnrollment',
    route: 'POST /v1/panel/enrollments',
    summary: 'Create an enrolment token',
    description: 'The token enrols one computer.',
    body: EnrollmentBody,
    bodyOptional: true,
    requestExample: { ttl: 600 },
    success: created('The token; it is shown this once.', Enrollment),
    errors: ['ACCOUNT_CLOSED'],
  })
  async enrollment(@Body() { ttl }: EnrollmentBody, @Caller() { accountId, by }: MemberCaller) {
    const account = await this.accounts.getAccount(accountId);
    if (account?.status === 'closed') throw new ApiError('ACCOUNT_CLOSED');
    return this.administration.enroll(accountId, ttl, by);
  }

  @Operation({
    ...ofComputers,
    id: 'disableComputer',
    route: 'POST /v1/panel/computers/:computer_id/disable',
    summary: 'Stop giving work to a computer',
    success: changed,
    errors: ['STATE_CONFLICT'],
  })
  disable(@Param('computer_id') id: string, @Caller() caller: MemberCaller) {
    return this.change(caller, id, () => this.administration.disable(id, caller.by));
  }

  @Operation({
    ...ofComputers,
    id: 'enableComputer',
    route: 'POST /v1/panel/computers/:computer_id/enable',
    summary: 'Give work to a disabled computer again',
    success: changed,
    errors: ['STATE_CONFLICT'],
  })
  enable(@Param('computer_id') id: string, @Caller() caller: MemberCaller) {
    return this.change(caller, id, () => this.administration.enable(id, caller.by));
  }

  @Operation({
    ...ofComputers,
    id: 'revokeComputer',
    route: 'POST /v1/panel/computers/:computer_id/revoke',
    summary: 'Take the credential of a computer away',
    description: 'Only a new enrolment brings it back.',
    success: changed,
  })
  revoke(@Param('computer_id') id: string, @Caller() caller: MemberCaller) {
    const reason = 'revoked by a member of the account';
    return this.change(caller, id, () => this.administration.revoke(id, reason, caller.by));
  }

  @Operation({
    ...ofComputers,
    id: 'renameComputer',
    route: 'PATCH /v1/panel/computers/:computer_id',
    summary: 'Rename a computer',
    description: 'The name stays, whatever its Agent reports.',
    body: RenameBody,
    requestExample: { display_name: 'Front desk' },
    success: changed,
    errors: ['STATE_CONFLICT'],
  })
  rename(
    @Param('computer_id') id: string,
    @Body() { display_name: given }: RenameBody,
    @Caller() caller: MemberCaller,
  ) {
    return this.change(caller, id, () => this.administration.rename(id, given, caller.by));
  }

  @Operation({
    id: 'updatePrinter',
    route: 'PATCH /v1/panel/printers/:printer_id',
    summary: 'Update a printer',
    description:
      'Enables, disables, pauses, resumes or renames it, or sets how it takes text. At least one field.',
    tag: 'Printers',
    scopes: ['panel:printers'],
    body: PrinterChangesBody,
    requestExample: { enabled: true, display_name: 'Till 1' },
    success: ok('The printer as it is now.', Printer),
  })
  async update(
    @Param('printer_id') printerId: string,
    @Body() body: PrinterChangesBody,
    @Caller() { accountId, by }: MemberCaller,
  ) {
    const settings = settingsFrom(body);
    const { computer_id } = await this.printer(accountId, printerId);
    await this.administration.updatePrinter(computer_id, printerId, settings, by);
    const [seen] = await this.liveness.lastHeartbeats([`computer:${computer_id}`]);
    return printerResource(await this.printer(accountId, printerId), seen);
  }

  private async change({ accountId }: MemberPrincipal, computerId: string, act: () => Promise<void>) {
    await this.computer(accountId, computerId);
    await act();
    const [seen] = await this.liveness.lastHeartbeats([`computer:${computerId}`]);
    return computerResource(await this.computer(accountId, computerId), seen);
  }

  private async computer(accountId: string, computerId: string) {
    return orNotFound(await this.computers.getComputer(accountId, computerId), 'COMPUTER_NOT_FOUND');
  }

  private async printer(accountId: string, printerId: string) {
    return orNotFound(await this.printers.getPrinter(accountId, printerId), 'PRINTER_NOT_FOUND');
  }
}
