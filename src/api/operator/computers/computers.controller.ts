import { Body, Controller, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { AccountQueries } from '../../../../projections/accounts/accounts.queries.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import { AddPrinter, type Computer, RemoveAddedPrinter } from '../../../contexts/devices/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { ApiError, orNotFound } from '../../../http/errors/api-error.js';
import { Caller, type Calling } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import { integer, name, text } from '../../../http/validation/rules.js';
import { Clock } from '../../../kernel/time.js';
import { ComputerAdministration } from '../../computer-administration.js';
import { orRefuse } from '../../errors/answers.js';
import { PrinterChangesBody, printerResource, settingsFrom } from '../../resources/printer.resource.js';
import { CloseBody, ComputerListQuery, OperatedComputers } from '../operator.resources.js';
import { OperatorOperation } from '../operator.surface.js';

/** Devices of a computer that the service may name: an operator must not make an agent write to files. */
const DEVICE =
  /^\/(dev\/(usb\/lp|lp|tty(S|USB|ACM|AMA))\d{1,3}|dev\/serial\/by-(id|path)\/(?!.*\.\.)[\w.:+-]{1,200}|(COM|LPT)\d{1,3})$/i;
const SCHEMES = ['socket:', 'ipp:', 'ipps:', 'file:'];

/** What is wrong with the address of a printer without a queue, as the end of a sentence. */
export function problemOfAddress(address: string): string | undefined {
  if (!URL.canParse(address)) return 'must be an address such as socket://10.0.0.7:9100';
  const { protocol, hostname, pathname, username, password } = new URL(address);
  if (!SCHEMES.includes(protocol)) return `must begin with ${SCHEMES.join(', ')}`;
  if (username || password) return 'must have no login: events would keep it';
  if (protocol === 'file:')
    return hostname === '' && DEVICE.test(pathname)
      ? undefined
      : 'must name a device such as file:/dev/usb/lp0';
  if (hostname === '') return 'must name a host';
  return protocol === 'socket:' && pathname.length > 1 ? 'must have no path behind the port' : undefined;
}

export class AddedPrinterBody {
  @Field(name({ max: 180 })) name!: string;
  @Field(text({ max: 255 })) address!: string;
}

export class CreateEnrollmentBody {
  @Field(integer(60, 1800), optional) ttl: number = 600;
}

/** Computers, their printers, and printers without a queue, which an agent prints on by their addresses. */
@Controller()
export class OperatorComputersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: AccountQueries,
    private readonly computers: OperatedComputers,
    private readonly administration: ComputerAdministration,
    private readonly printers: PrinterQueries,
    private readonly liveness: LivenessStore,
    private readonly clock: Clock,
  ) {}

  @OperatorOperation({
    id: 'addPrinter',
    route: 'POST /v1/operator/computers/:id/printers',
    summary: 'Add a printer without a queue to a computer, or change its address',
    body: AddedPrinterBody,
  })
  async add(
    @Param('id') computerId: string,
    @Body() { name, address }: AddedPrinterBody,
    @Caller() { by }: Calling,
  ) {
    const problem = problemOfAddress(address);
    if (problem) throw new ApiError('INVALID_REQUEST', `address ${problem}.`);
    const command = new AddPrinter({ computerId, printer: { name, address }, at: this.clock.now(), by });
    return shown(orRefuse('operator', await this.commands.execute(command)).state);
  }

  @OperatorOperation({
    id: 'removeAddedPrinter',
    route: 'DELETE /v1/operator/computers/:id/printers/:name',
    summary: 'Take back a printer that was added to a computer',
  })
  async remove(@Param('id') computerId: string, @Param('name') name: string, @Caller() { by }: Calling) {
    const command = new RemoveAddedPrinter({ computerId, name, at: this.clock.now(), by });
    return shown(orRefuse('operator', await this.commands.execute(command)).state);
  }

  @OperatorOperation({
    id: 'createEnrollmentToken',
    route: 'POST /v1/operator/accounts/:id/enrollments',
    summary: 'Create an enrolment token; it is shown this once',
    body: CreateEnrollmentBody,
    bodyOptional: true,
    creates: true,
  })
  async enrollment(
    @Param('id') accountId: string,
    @Body() { ttl }: CreateEnrollmentBody,
    @Caller() { by }: Calling,
  ) {
    const account = orNotFound(await this.accounts.getAccount(accountId), 'ACCOUNT_NOT_FOUND');
    if (account.status === 'closed') throw new ApiError('ACCOUNT_CLOSED');
    return this.administration.enroll(accountId, ttl, by);
  }

  @OperatorOperation({
    id: 'listComputers',
    route: 'GET /v1/operator/accounts/:id/computers',
    summary: 'List the computers of an account with the health of their agents, newest first',
    query: ComputerListQuery,
  })
  async list(@Param('id') accountId: string, @Query() query: ComputerListQuery) {
    orNotFound(await this.accounts.getAccount(accountId), 'ACCOUNT_NOT_FOUND');
    return await this.computers.list(accountId, query);
  }

  @OperatorOperation({
    id: 'showComputer',
    route: 'GET /v1/operator/computers/:id',
    summary: 'Get a computer with its printers',
  })
  async get(@Param('id') id: string) {
    return orNotFound(await this.computers.getDetail(id), 'COMPUTER_NOT_FOUND');
  }

  @OperatorOperation({
    id: 'disableComputer',
    route: 'POST /v1/operator/computers/:id/disable',
    summary: 'Stop giving work to a computer',
  })
  async disable(@Param('id') id: string, @Caller() { by }: Calling) {
    await this.administration.disable(id, by);
    return await this.computers.get(id);
  }

  @OperatorOperation({
    id: 'enableComputer',
    route: 'POST /v1/operator/computers/:id/enable',
    summary: 'Give work to a disabled computer again',
  })
  async enable(@Param('id') id: string, @Caller() { by }: Calling) {
    await this.administration.enable(id, by);
    return await this.computers.get(id);
  }

  @OperatorOperation({
    id: 'revokeComputer',
    route: 'POST /v1/operator/computers/:id/revoke',
    summary: 'Take the credential of a computer away',
    body: CloseBody,
    bodyOptional: true,
  })
  async revoke(@Param('id') id: string, @Body() { reason }: CloseBody, @Caller() { by }: Calling) {
    await this.administration.revoke(id, reason ?? 'revoked by the operator', by);
    return await this.computers.get(id);
  }

  @OperatorOperation({
    id: 'updatePrinter',
    route: 'POST /v1/operator/printers/:id',
    summary: 'Enable, disable, pause, resume or rename a printer, or set how it takes text',
    body: PrinterChangesBody,
  })
  async update(@Param('id') printerId: string, @Body() body: PrinterChangesBody, @Caller() { by }: Calling) {
    const settings = settingsFrom(body);
    const computerId = orNotFound(await this.printers.computerOf(printerId), 'PRINTER_NOT_FOUND');
    await this.administration.updatePrinter(computerId, printerId, settings, by);
    const printer = orNotFound(await this.printers.findPrinter(printerId), 'PRINTER_NOT_FOUND');
    const [seen] = await this.liveness.lastHeartbeats([`computer:${computerId}`]);
    return { account_id: printer.account_id, ...printerResource(printer, seen) };
  }
}

function shown({ computerId, addedPrinters }: Computer) {
  return { computer_id: computerId, added_printers: addedPrinters };
}
