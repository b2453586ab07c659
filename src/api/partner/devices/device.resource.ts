import type { ComputerDocument } from '../../../../projections/computers/computers.js';
import { COMPUTER_STATUSES, type ComputerStatus } from '../../../contexts/devices/index.js';
import { Field, orNull, present } from '../../../http/validation/field.js';
import { dateTime, integer, oneOf, text, uuid } from '../../../http/validation/rules.js';
import type { Instant } from '../../../kernel/time.js';

export const DEVICE_STATUSES = ['online', 'offline', 'revoked'] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

export const COMPUTER_STATUSES_OF: Readonly<Record<DeviceStatus, readonly ComputerStatus[]>> = {
  online: ['online'],
  offline: ['pending', 'offline', 'disabled'],
  revoked: ['revoked'],
};

export function deviceStatusOf(status: ComputerStatus): DeviceStatus {
  return status === 'online' || status === 'revoked' ? status : 'offline';
}

export class Device {
  @Field(uuid()) device_id!: string;
  @Field(text({ max: 40 })) friendly_code!: string;
  @Field(text({ max: 255 })) display_name!: string;
  @Field(text({ max: 255 }), orNull) hostname!: string | null;
  @Field(text({ max: 120 }), orNull) operating_system!: string | null;
  @Field(text({ max: 40 }), orNull) agent_version!: string | null;
  @Field(oneOf(...DEVICE_STATUSES)) status!: DeviceStatus;
  @Field(oneOf(...COMPUTER_STATUSES)) raw_status!: ComputerStatus;
  @Field(dateTime(), orNull) last_seen_at!: Instant | null;
  @Field(integer(0, 500)) printer_count!: number;
  @Field(dateTime()) created_at!: Instant;

  static readonly example: Device = {
    device_id: '01990000-0000-7000-8000-000000000002',
    friendly_code: 'PC-0A1B2C3D',
    display_name: 'FRONT-DESK',
    hostname: 'FRONT-DESK',
    operating_system: 'Windows 11',
    agent_version: '2.0.59',
    status: 'online',
    raw_status: 'online',
    last_seen_at: '2026-11-21T12:00:00.000Z',
    printer_count: 2,
    created_at: '2026-11-21T12:00:00.000Z',
  };
}

export function deviceResource(document: ComputerDocument, lastSeenAt: Instant | undefined): Device {
  return present(Device, document, {
    device_id: document.computer_id,
    display_name: document.name,
    status: deviceStatusOf(document.status),
    raw_status: document.status,
    last_seen_at: lastSeenAt,
  });
}
