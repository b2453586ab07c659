import { Body, Controller, Headers, Param, Query } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ComputerQueries } from '../../../../projections/computers/computers.queries.js';
import type { PrinterDocument } from '../../../../projections/printers/printers.js';
import { PrinterQueries } from '../../../../projections/printers/printers.queries.js';
import {
  PRINTER_STATUSES,
  type PrinterStatus,
  type TextSettings,
  UpdatePrinter,
} from '../../../contexts/devices/index.js';
import { LivenessStore } from '../../../event-sourcing/index.js';
import { orNotFound } from '../../../http/errors/api-error.js';
import { ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, optional, orNull, present } from '../../../http/validation/field.js';
import { boolean, dateTime, integer, object, oneOf, text, uuid } from '../../../http/validation/rules.js';
import { Clock, type Instant } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { CursorLists, CursorQuery } from '../../lists.js';
import { ETAG, IF_NONE_MATCH, UNCHANGED } from '../../polling.js';
import { lastSeen } from '../../resources/computer.resource.js';
import {
  LineEndings,
  PrinterCapabilities,
  settingsFrom,
  TextEncodings,
  TextModes,
  UpdatePrinterBody,
} from '../../resources/printer.resource.js';
import { DEVICE_STATUSES, type DeviceStatus, deviceStatusOf } from '../devices/device.resource.js';
import { mustAllowNewResources, PartnerAccounts } from '../partner-accounts.js';
import type { PartnerCaller, PartnerPrincipal } from '../partner.authenticator.js';
import { LIMITS, partner } from '../partner.surface.js';

export class ListPrintersQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 100 }) limit: number = 100;
  @Field(oneOf(...PRINTER_STATUSES), optional) status?: PrinterStatus;
  @Field(uuid(), optional) device_id?: string;
  @Field(boolean(), optional) enabled?: boolean;
}

/** A printer as shown to partners. It accepts jobs when status is online and enabled is true. */
export class DevicePrinter {
  @Field(uuid()) printer_id!: string;
  @Field(uuid()) device_id!: string;
  @Field(text({ max: 180 }), { description: 'As the computer calls it' }) system_name!: string;
  @Field(text({ max: 180 }), { nullable: true, description: 'As PATCH named it' }) alias!: string | null;
  @Field(text({ max: 180 }), { description: 'The alias, else the system name' }) display_name!: string;
  @Field(boolean()) enabled!: boolean;
  @Field(TextEncodings, optional) text_encoding?: TextSettings['encoding'];
  @Field(LineEndings, optional) line_ending?: TextSettings['line_ending'];
  @Field(TextModes, optional) text_mode?: TextSettings['mode'];
  @Field(boolean(), optional) cut_after?: boolean;
  @Field(oneOf(...PRINTER_STATUSES)) status!: PrinterStatus;
  @Field(oneOf('online', 'offline'), { description: "The Agent's last word" })
  raw_status!: 'online' | 'offline';
  @Field(oneOf(...DEVICE_STATUSES)) device_status!: DeviceStatus;
  @Field(boolean()) is_default!: boolean;
  @Field(dateTime(), orNull) last_seen_at!: Instant | null;
  @Field(object(() => PrinterCapabilities), orNull) capabilities!: PrinterCapabilities | null;

  static readonly example: DevicePrinter = {
    printer_id: '01990000-0000-7000-8000-000000000003',
    device_id: '01990000-0000-7000-8000-000000000002',
    system_name: 'EPSON TM-T88V',
    alias: 'Till 1',
    display_name: 'Till 1',
    enabled: true,
    status: 'online',
    raw_status: 'online',
    device_status: 'online',
    is_default: true,
    last_seen_at: '2026-11-21T12:00:00.000Z',
    capabilities: PrinterCapabilities.example,
  };
}

/** Fields of a printer that come from its computer. */
interface DeviceOfPrinter {
  readonly status: DeviceStatus;
  readonly lastSeenAt: Instant | undefined;
}

export function partnerPrinterResource(document: PrinterDocument, device: DeviceOfPrinter): DevicePrinter {
  return present(DevicePrinter, document, {
    device_id: document.computer_id,
    display_name: document.name,
    device_status: device.status,
    last_seen_at: device.lastSeenAt,
  });
}

const Operation = operationsOf(partner, { tag: 'Printers' });

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

  @Operation({
    id: 'listAccountPrinters',
    route: 'GET /v1/accounts/:account_id/printers',
    summary: 'List printers',
    description: 'Newest first. Removed printers are left out unless asked for with status=removed.',
    scopes: ['printers:read'],
    limit: { perMinute: LIMITS.listAccountPrinters },
    query: ListPrintersQuery,
    headers: IF_NONE_MATCH,
    success: [ok('A page of printers.', DevicePrinter, { list: 'cursor', headers: ETAG }), UNCHANGED],
    errors: ['DEVICE_NOT_FOUND'],
  })
  async list(
    @Param('account_id') accountId: string,
    @Query() query: ListPrintersQuery,
    @Headers('if-none-match') ifNoneMatch: string | undefined,
    @Caller() caller: PartnerPrincipal,
  ) {
    const list = this.lists.open('printers', caller, accountId, query);
    await this.accounts.known(caller, accountId);
    const { status, enabled, device_id: computerId } = query;
    if (computerId) orNotFound(await this.computers.getComputer(accountId, computerId), 'DEVICE_NOT_FOUND');
    const filter = { status, enabled, computerId };
    const page = await list.read((keyset) => this.printers.listPartnerPrinters(accountId, filter, keyset));
    const devices = await this.devicesOf(accountId, page.documents);
    const mark = (printer: PrinterDocument) =>
      `${printer.printer_id} ${printer.sequence} ${devices.get(printer.computer_id)}`;
    return this.lists.answer(page, ifNoneMatch, mark, () => this.resources(page.documents, devices));
  }

  @Operation({
    id: 'updatePrinter',
    route: 'PATCH /v1/accounts/:account_id/printers/:printer_id',
    summary: 'Update a printer',
    description: 'Enables, disables or renames it, or sets how it takes text. At least one field.',
    scopes: ['printers:write'],
    limit: { perMinute: LIMITS.updatePrinter },
    body: UpdatePrinterBody,
    requestExample: { enabled: true, display_name: 'Till 1' },
    success: ok('The printer as it is now.', DevicePrinter, { code: 'PRINTER_UPDATED' }),
    errors: ['ACCOUNT_CLOSED', 'SVC_ACCOUNT_SUSPENDED'],
  })
  async update(
    @Param('account_id') accountId: string,
    @Param('printer_id') printerId: string,
    @Body() body: UpdatePrinterBody,
    @Caller() caller: PartnerCaller,
  ) {
    const settings = settingsFrom(body);
    const account = await this.accounts.known(caller, accountId);
    const { computer_id: computerId } = await this.printer(accountId, printerId);
    mustAllowNewResources(account);
    const [at, { by }] = [this.clock.now(), caller];
    const command = new UpdatePrinter({ computerId, printerId, settings, at, by });
    orRefuse('partner', await this.commands.execute(command));
    const printers = [await this.printer(accountId, printerId)];
    const [resource] = await this.resources(printers, await this.devicesOf(accountId, printers));
    return resource;
  }

  private async printer(accountId: string, printerId: string): Promise<PrinterDocument> {
    return orNotFound(await this.printers.getPrinter(accountId, printerId), 'PRINTER_NOT_FOUND');
  }

  private async devicesOf(accountId: string, printers: readonly PrinterDocument[]) {
    const ids = [...new Set(printers.map(({ computer_id }) => computer_id))];
    const computers = await this.computers.getComputers(accountId, ids);
    return new Map(computers.map(({ computer_id, status }) => [computer_id, deviceStatusOf(status)]));
  }

  private async resources(printers: readonly PrinterDocument[], devices: ReadonlyMap<string, DeviceStatus>) {
    const seen = await lastSeen(this.liveness, printers);
    return printers.map((printer, i) =>
      partnerPrinterResource(printer, {
        status: devices.get(printer.computer_id) ?? 'offline',
        lastSeenAt: seen[i],
      }),
    );
  }
}
