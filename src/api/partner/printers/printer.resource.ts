import type { PrinterDocument } from '../../../../projections/printers/printers.js';
import { PRINTER_STATUSES, type PrinterStatus } from '../../../contexts/devices/index.js';
import { CONTENT_TYPES, type ContentType } from '../../../contexts/jobs/index.js';
import { Field, orNull } from '../../../http/validation/field.js';
import { present } from '../../../http/validation/present.js';
import { boolean, dateTime, listOf, object, oneOf, text, uuid } from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';
import { DEVICE_STATUSES, type DeviceStatus } from '../devices/device.resource.js';

export class PrinterCapabilities {
  @Field(listOf(oneOf(...CONTENT_TYPES), { max: 3 })) content_types!: readonly ContentType[];
  @Field(boolean(), orNull) color!: boolean | null;
  @Field(boolean(), orNull) duplex!: boolean | null;
  @Field(listOf(text({ max: 120 }), { max: 100 })) papers!: readonly string[];
}

/** A printer as shown to partners. It accepts jobs when status is online and enabled is true. */
export class DevicePrinter {
  @Field(uuid()) printer_id!: string;
  @Field(uuid()) device_id!: string;
  @Field(text({ max: 180 }), { description: 'As the computer calls it' }) system_name!: string;
  @Field(text({ max: 180 }), { nullable: true, description: 'As PATCH named it' }) alias!: string | null;
  @Field(text({ max: 180 }), { description: 'The alias, else the system name' }) display_name!: string;
  @Field(boolean()) enabled!: boolean;
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
    capabilities: { content_types: ['raw', 'text'], color: false, duplex: null, papers: ['80mm'] },
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
