import type { ComputerStatus } from '../../src/contexts/devices/domain/computer.events.js';
import type { Instant } from '../../src/kernel/time.js';
import type { ComputerDocument } from './computers.js';

/** A computer as the Integration API and webhooks show it (api-v1 2.3). */
export interface ComputerResource {
  readonly contract: 'svc_device_v1';
  readonly computer_id: string;
  readonly friendly_code: string;
  readonly name: string;
  readonly hostname?: string;
  readonly operating_system?: string;
  readonly agent_version?: string;
  readonly installer_version?: string;
  readonly status: ComputerStatus;
  readonly last_seen_at: Instant | null;
  readonly created_at: Instant;
  readonly updated_at: Instant;
}

const DESCRIBED = ['hostname', 'operating_system', 'agent_version', 'installer_version'] as const;

/** Exactly the public fields; those without a value are left out. */
export function computerResource(
  document: ComputerDocument,
  lastSeenAt: Instant | undefined,
): ComputerResource {
  const known = DESCRIBED.filter((field) => document[field] !== undefined);
  return {
    contract: 'svc_device_v1',
    computer_id: document.computer_id,
    friendly_code: document.friendly_code,
    name: document.name,
    ...Object.fromEntries(known.map((field) => [field, document[field]])),
    status: document.status,
    last_seen_at: lastSeenAt ?? null,
    created_at: document.created_at,
    updated_at: document.updated_at,
  };
}
