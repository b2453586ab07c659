import type { ComputerStatus } from '../../src/contexts/devices/domain/computer.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

/** A computer; when it was last seen is in the operational store. */
export interface ComputerDocument {
  readonly computer_id: string;
  readonly account_id: string;
  readonly installation_id: string;
  readonly friendly_code: string;
  /** The display name given at enrolment, else the hostname, else the friendly code. */
  readonly name: string;
  readonly hostname?: string;
  readonly operating_system?: string;
  readonly agent_version?: string;
  readonly installer_version?: string;
  readonly status: ComputerStatus;
  /** Without removed ones. */
  readonly printer_count: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  /** The newest agent session. */
  readonly session_id?: string;
  /** SHA-256 of the device credential; null once it is dead. For authentication, never shown. */
  readonly credential_hash: string | null;
  readonly credential_expires_at: Instant;
  /** Revision of the last event seen. */
  readonly sequence: number;
}

export const computersView: ViewDefinition = {
  name: 'computers',
  version: 1,
  indexes: [
    { fields: ['account_id'] },
    { fields: ['account_id', 'status'] },
    { fields: ['account_id', 'friendly_code'] },
  ],
  countBy: [['account_id'], ['account_id', 'status']],
};
