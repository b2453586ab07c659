import { COMPUTER_STATUSES, PRINTER_STATUSES } from '../../http/device-statuses.js';
import { Field } from '../../http/validation/field.js';
import {
  boolean,
  dateTime,
  integer,
  listOf,
  object,
  oneOf,
  text,
  uuid,
} from '../../http/validation/rules.js';
import { CursorQuery } from './cursor-lists.js';

const optional = { optional: true } as const;
const orNull = { nullable: true } as const;

export const DEVICE_STATUSES = ['online', 'offline', 'revoked'] as const;

export class ListDevicesQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 100 }) limit: number = 100;
  @Field(oneOf(...DEVICE_STATUSES), optional) status?: (typeof DEVICE_STATUSES)[number];
}

export class DeactivateDeviceBody {
  @Field(text({ min: 10, max: 500 }), optional) reason: string = 'deactivated by the partner';
}

export class ListPrintersQuery extends CursorQuery {
  @Field(integer(1, 100), { optional: true, default: 100 }) limit: number = 100;
  @Field(oneOf(...PRINTER_STATUSES), optional) status?: (typeof PRINTER_STATUSES)[number];
  @Field(uuid(), optional) device_id?: string;
  @Field(boolean(), optional) enabled?: boolean;
}

export class UpdatePrinterBody {
  @Field(boolean(), optional) enabled?: boolean;
  @Field(text({ min: 0, max: 180 }), { optional: true, description: 'Empty = the detected name again' })
  display_name?: string;
}

/** A computer with its Agent (contract, section 2.8). */
export class Device {
  @Field(uuid()) device_id!: string;
  @Field(text({ max: 40 })) friendly_code!: string;
  @Field(text({ max: 255 })) display_name!: string;
  @Field(text({ max: 255 }), orNull) hostname!: string | null;
  @Field(text({ max: 120 }), orNull) operating_system!: string | null;
  @Field(text({ max: 40 }), orNull) agent_version!: string | null;
  @Field(oneOf(...DEVICE_STATUSES)) status!: string;
  @Field(oneOf(...COMPUTER_STATUSES)) raw_status!: string;
  @Field(dateTime(), orNull) last_seen_at!: string | null;
  @Field(integer(0, 500)) printer_count!: number;
  @Field(dateTime()) created_at!: string;
}

export class PrinterCapabilities {
  @Field(listOf(oneOf('pdf', 'raw', 'text'), { max: 3 })) content_types!: string[];
  @Field(boolean(), orNull) color!: boolean | null;
  @Field(boolean(), orNull) duplex!: boolean | null;
  @Field(listOf(text({ max: 120 }), { max: 100 })) papers!: string[];
}

/** Ready for jobs when status is online and enabled is true. */
export class DevicePrinter {
  @Field(uuid()) printer_id!: string;
  @Field(uuid()) device_id!: string;
  @Field(text({ max: 180 }), { description: 'As the computer calls it' }) system_name!: string;
  @Field(text({ max: 180 }), { nullable: true, description: 'As PATCH named it' }) alias!: string | null;
  @Field(text({ max: 180 }), { description: 'The alias, else the system name' }) display_name!: string;
  @Field(boolean()) enabled!: boolean;
  @Field(oneOf(...PRINTER_STATUSES)) status!: string;
  @Field(oneOf('online', 'offline'), { description: "The Agent's last word" }) raw_status!: string;
  @Field(oneOf(...DEVICE_STATUSES)) device_status!: string;
  @Field(boolean()) is_default!: boolean;
  @Field(dateTime(), orNull) last_seen_at!: string | null;
  @Field(object(() => PrinterCapabilities), orNull) capabilities!: PrinterCapabilities | null;
}

const id = '01990000-0000-7000-8000-000000000002';
const at = '2026-11-21T12:00:00.000Z';

export const deviceExample = {
  device_id: id,
  friendly_code: 'PC-0A1B2C3D',
  display_name: 'FRONT-DESK',
  hostname: 'FRONT-DESK',
  operating_system: 'Windows 11',
  agent_version: '2.0.59',
  status: 'online',
  raw_status: 'online',
  last_seen_at: at,
  printer_count: 2,
  created_at: at,
} satisfies Device;

export const printerExample = {
  printer_id: '01990000-0000-7000-8000-000000000003',
  device_id: id,
  system_name: 'EPSON TM-T88V',
  alias: 'Till 1',
  display_name: 'Till 1',
  enabled: true,
  status: 'online',
  raw_status: 'online',
  device_status: 'online',
  is_default: true,
  last_seen_at: at,
  capabilities: { content_types: ['raw', 'text'], color: false, duplex: null, papers: ['80mm'] },
} satisfies DevicePrinter;
