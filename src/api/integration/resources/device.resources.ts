import { COMPUTER_STATUSES, PRINTER_STATUSES } from '../../../http/device-statuses.js';
import { Field } from '../../../http/validation/field.js';
import { boolean, constant, dateTime, oneOf, text, uuid } from '../../../http/validation/rules.js';

export const ACCOUNT_STATUSES = ['active', 'suspended', 'closed'] as const;

const optional = { optional: true } as const;
const orNull = { optional: true, nullable: true } as const;

/** Contract, section 2.2. */
export class Account {
  @Field(constant('svc_api_account_v1')) contract!: string;
  @Field(uuid()) account_id!: string;
  @Field(text({ max: 120 })) name!: string;
  @Field(text({ max: 60 })) slug!: string;
  @Field(oneOf(...ACCOUNT_STATUSES)) status!: string;
  @Field(boolean()) environment_enabled!: boolean;
  @Field(boolean()) virtual_printers_only!: boolean;
  @Field(dateTime()) created_at!: string;
}

/** Contract, section 2.3. */
export class Computer {
  @Field(constant('svc_device_v1')) contract!: string;
  @Field(uuid()) computer_id!: string;
  @Field(text({ max: 40 })) friendly_code!: string;
  @Field(text({ max: 255 })) name!: string;
  @Field(text({ max: 255 }), optional) hostname?: string;
  @Field(text({ max: 120 }), optional) operating_system?: string;
  @Field(text({ max: 40 }), optional) agent_version?: string;
  @Field(text({ max: 40 }), optional) installer_version?: string;
  @Field(oneOf(...COMPUTER_STATUSES)) status!: string;
  @Field(dateTime(), orNull) last_seen_at?: string | null;
  @Field(dateTime()) created_at!: string;
  @Field(dateTime()) updated_at!: string;
}

/** Contract, section 2.4. Ready for jobs when status is online and enabled is true. */
export class Printer {
  @Field(constant('svc_printer_v1')) contract!: string;
  @Field(uuid(), { description: 'The identity to store; names and codes are for display' })
  printer_id!: string;
  @Field(text({ max: 40 })) printer_code!: string;
  @Field(uuid()) computer_id!: string;
  @Field(text({ max: 255 })) computer_name!: string;
  @Field(text({ max: 180 })) name!: string;
  @Field(text({ max: 255 }), orNull) driver?: string | null;
  @Field(text({ max: 255 }), orNull) port?: string | null;
  @Field(boolean()) is_default!: boolean;
  @Field(boolean()) is_virtual!: boolean;
  @Field(boolean()) enabled!: boolean;
  @Field(oneOf(...PRINTER_STATUSES)) status!: string;
  @Field(dateTime(), orNull) last_seen_at?: string | null;
  @Field(dateTime()) updated_at!: string;
}

const id = '01990000-0000-7000-8000-000000000002';
const at = '2026-11-21T12:00:00.000Z';

export const accountExample = {
  contract: 'svc_api_account_v1',
  account_id: id,
  name: 'Acme',
  slug: 'acme',
  status: 'active',
  environment_enabled: true,
  virtual_printers_only: false,
  created_at: at,
} satisfies Account;

export const computerExample = {
  contract: 'svc_device_v1',
  computer_id: id,
  friendly_code: 'PC-0A1B2C3D',
  name: 'FRONT-DESK',
  hostname: 'FRONT-DESK',
  operating_system: 'Windows 11',
  agent_version: '2.0.59',
  status: 'online',
  last_seen_at: at,
  created_at: at,
  updated_at: at,
} satisfies Computer;

export const printerExample = {
  contract: 'svc_printer_v1',
  printer_id: id,
  printer_code: 'PR-0A1B2C3D',
  computer_id: id,
  computer_name: 'FRONT-DESK',
  name: 'Till 1',
  driver: null,
  port: 'USB001',
  is_default: true,
  is_virtual: false,
  enabled: true,
  status: 'online',
  last_seen_at: at,
  updated_at: at,
} satisfies Printer;
