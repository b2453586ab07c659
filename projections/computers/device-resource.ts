import type { ComputerStatus } from '../../src/contexts/devices/domain/computer.events.js';
import type { Instant } from '../../src/kernel/time.js';
import type { ComputerDocument } from './computers.js';

export type DeviceStatus = 'online' | 'offline' | 'revoked';

/** A computer as the Partner API shows it. */
export interface DeviceResource {
  readonly device_id: string;
  readonly friendly_code: string;
  readonly display_name: string;
  readonly hostname: string | null;
  readonly operating_system: string | null;
  readonly agent_version: string | null;
  readonly status: DeviceStatus;
  readonly raw_status: ComputerStatus;
  readonly last_seen_at: Instant | null;
  readonly printer_count: number;
  readonly created_at: Instant;
}

/** The statuses of a computer that partners see as one. */
export const DEVICE_STATUSES: Readonly<Record<DeviceStatus, readonly ComputerStatus[]>> = {
  online: ['online'],
  offline: ['pending', 'offline', 'disabled'],
  revoked: ['revoked'],
};

export function deviceStatusOf(status: ComputerStatus): DeviceStatus {
  return status === 'online' || status === 'revoked' ? status : 'offline';
}

export function deviceResource(document: ComputerDocument, lastSeenAt: Instant | undefined): DeviceResource {
  return {
    device_id: document.computer_id,
    friendly_code: document.friendly_code,
    display_name: document.name,
    hostname: document.hostname ?? null,
    operating_system: document.operating_system ?? null,
    agent_version: document.agent_version ?? null,
    status: deviceStatusOf(document.status),
    raw_status: document.status,
    last_seen_at: lastSeenAt ?? null,
    printer_count: document.printer_count,
    created_at: document.created_at,
  };
}
