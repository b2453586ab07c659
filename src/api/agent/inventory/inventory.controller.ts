import { Body, Controller } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  computers,
  type ReportedPrinter,
  ReportInventory,
  versionOfAdded,
} from '../../../contexts/devices/index.js';
import { AggregateStore } from '../../../event-sourcing/index.js';
import { MAX_BODY_BYTES, ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { Field, optional } from '../../../http/validation/field.js';
import {
  boolean,
  listOf,
  object,
  objects,
  oneOf,
  reportedText,
  text,
  uuid,
} from '../../../http/validation/rules.js';
import { Clock } from '../../../kernel/time.js';
import { orRefuse } from '../../errors/answers.js';
import { dpi } from '../../resources/print-options.resource.js';
import { Margins } from '../../resources/printer.resource.js';
import type { ComputerCaller, ComputerPrincipal } from '../agent.authenticator.js';
import { addedVersion, ID, printerKey } from '../agent.fields.js';
import { agent } from '../agent.surface.js';

class PrinterCapabilitiesBody {
  @Field(listOf(oneOf('pdf', 'raw', 'text'), { max: 3, unique: true })) content_types!: (
    'pdf' | 'raw' | 'text'
  )[];
  @Field(boolean(), { optional: true, nullable: true }) color?: boolean | null;
  @Field(boolean(), { optional: true, nullable: true }) duplex?: boolean | null;
  @Field(listOf(reportedText({ max: 120 }), { max: 100 }), optional) papers?: string[];
  @Field(listOf(reportedText({ max: 120 }), { max: 100 }), optional) trays?: string[];
  @Field(listOf(dpi, { max: 50 }), optional) resolutions_dpi?: number[];
  @Field(object(() => Margins), { optional: true, description: 'Parts of the sheet that it cannot print on' })
  margins_mm?: Margins;
  @Field(listOf(text({ max: 40 }), { max: 20 }), {
    optional: true,
    description: 'Names of the options that it can apply; absent: none',
  })
  options?: string[];
}

export class InventoryPrinter {
  @Field(printerKey, { description: "The agent's own stable key of the printer" })
  printer_key!: string;
  @Field(reportedText({ max: 180 })) name!: string;
  @Field(reportedText({ max: 255 }), { optional: true, nullable: true }) driver?: string | null;
  @Field(reportedText({ max: 255 }), { optional: true, nullable: true }) port?: string | null;
  @Field(reportedText({ max: 255 }), {
    optional: true,
    nullable: true,
    description: 'Identity of the device: IPP printer-uuid, USB serial, port address',
  })
  device_identity?: string | null;
  @Field(boolean()) is_default!: boolean;
  @Field(boolean()) is_virtual!: boolean;
  @Field(boolean(), { description: 'Whether the local queue takes jobs' }) online!: boolean;
  @Field(object(() => PrinterCapabilitiesBody), optional) capabilities?: PrinterCapabilitiesBody;
}

export class InventoryBody {
  @Field(objects(() => InventoryPrinter, 500))
  printers!: InventoryPrinter[];

  static readonly example: InventoryBody = {
    printers: [
      {
        printer_key: 'usb-001',
        name: 'Till 1',
        is_default: true,
        is_virtual: false,
        online: true,
        capabilities: { content_types: ['raw', 'text'], color: false, duplex: null, papers: ['80mm'] },
      },
    ],
  };
}

export function reportedPrinter(given: InventoryPrinter): ReportedPrinter {
  return {
    printerKey: given.printer_key,
    systemName: given.name,
    driver: given.driver ?? null,
    port: given.port ?? null,
    ...(given.device_identity && { deviceIdentity: given.device_identity }),
    isDefault: given.is_default,
    isVirtual: given.is_virtual,
    online: given.online,
    capabilities: given.capabilities ? reportedCapabilities(given.capabilities) : null,
  };
}

function reportedCapabilities(given: PrinterCapabilitiesBody): ReportedPrinter['capabilities'] {
  const { trays, resolutions_dpi: resolutionsDpi, margins_mm: margins, options } = given;
  return {
    contentTypes: given.content_types,
    color: given.color ?? null,
    duplex: given.duplex ?? null,
    papers: given.papers ?? [],
    ...(trays && { trays }),
    ...(resolutionsDpi && { resolutionsDpi }),
    ...(margins && {
      margins: { top: margins.top, right: margins.right, bottom: margins.bottom, left: margins.left },
    }),
    ...(options && { options }),
  };
}

class KnownPrinter {
  @Field(text({ max: 200 })) printer_key!: string;
  @Field(uuid()) printer_id!: string;
  @Field(text({ max: 40 })) printer_code!: string;
  @Field(boolean()) enabled!: boolean;
}

export class InventoryAnswer {
  @Field(objects(() => KnownPrinter, 500))
  printers!: KnownPrinter[];
  @Field(boolean(), {
    description: 'False: some changes wait; a heartbeat asks for the inventory when they may be stored',
  })
  complete!: boolean;

  static readonly example: InventoryAnswer = {
    printers: [{ printer_key: 'usb-001', printer_id: ID, printer_code: 'PR-0A1B2C3D', enabled: true }],
    complete: true,
  };
}

class AddedPrinter {
  @Field(text({ max: 180 })) name!: string;
  @Field(text({ max: 255 }), { description: '`socket://host:9100`, `ipp://host/path`, `file:/dev/usb/lp0`' })
  address!: string;
}

class AddedPrinters {
  @Field(addedVersion) version!: string;
  @Field(objects(() => AddedPrinter, 100)) printers!: readonly AddedPrinter[];

  static readonly example: AddedPrinters = {
    version: '0a1b2c3d4e5f6071',
    printers: [{ name: 'Label 1', address: 'socket://10.0.0.7:9100?status=zpl' }],
  };
}

const Operation = operationsOf(agent, { tag: 'Printers' });

@Controller()
export class InventoryController {
  constructor(
    private readonly commands: CommandBus,
    private readonly aggregates: AggregateStore,
    private readonly clock: Clock,
  ) {}

  @Operation({
    id: 'putInventory',
    route: 'PUT /v1/agent/inventory',
    summary: 'Report all printers',
    description:
      'The whole list: printers that are not in it count as removed. At most 1,000 printers of a computer change in a minute, the properties of each once; further changes wait.',
    body: InventoryBody,
    maxBodyBytes: MAX_BODY_BYTES,
    // docs/decisions/077-bounded-computers.md
    limit: { perMinute: 20 },
    success: ok('The printers as the service knows them.', InventoryAnswer),
  })
  async put(
    @Body() { printers: given }: InventoryBody,
    @Caller() { computerId, accountId, by }: ComputerCaller,
  ) {
    const [printers, at] = [given.map(reportedPrinter), this.clock.now()];
    const command = new ReportInventory({ accountId, computerId, printers, at, by });
    const outcome = orRefuse('agent', await this.commands.execute(command));
    const byKey = new Map(outcome.state.printers.map((printer) => [printer.printerKey, printer]));
    const known = given.flatMap(({ printer_key }) => {
      const printer = byKey.get(printer_key);
      if (!printer) return [];
      const { printerId: printer_id, printerCode: printer_code, enabled } = printer;
      return [{ printer_key, printer_id, printer_code, enabled }];
    });
    return { printers: known, complete: outcome.state.deferredUntil === undefined };
  }

  @Operation({
    id: 'getAddedPrinters',
    route: 'GET /v1/agent/printers',
    summary: 'Get the printers that the service adds to this computer',
    description:
      'Printers without a queue, for agents with the feature `printers/1`. Fetch them when `added_printers` of a session or heartbeat differs from `version`; list them in the inventory.',
    success: ok('The whole list, which replaces the last one.', AddedPrinters),
  })
  async added(@Caller() { computerId }: ComputerPrincipal) {
    const { state } = await this.aggregates.load(computers, computerId);
    return { version: versionOfAdded(state), printers: state.addedPrinters };
  }
}
