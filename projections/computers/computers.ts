import type { ComputerStatus, UnknownJob } from '../../src/contexts/devices/domain/computer.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

export interface UnknownJobDocument {
  readonly job_id: string;
  readonly lease_id: string;
  readonly fence: number;
  readonly phase: UnknownJob['phase'];
  readonly reported_at: Instant;
}

/** A computer; when it was last seen is in the liveness store. */
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
  /** Hand-offs that its agent journalled of jobs the service does not know; at most 100. For the operator alone. */
  readonly unknown_jobs?: readonly UnknownJobDocument[];
  /** SHA-256 of the device credential; null once it is dead. For authentication, never shown. */
  readonly credential_hash: string | null;
  readonly credential_expires_at: Instant;
  /** Revision of the last event seen. */
  readonly sequence: number;
}

export const computersView: ViewDefinition = {
  name: 'computers',
  version: 2,
  indexes: [
    { fields: ['account_id'] },
    { fields: ['account_id', 'status'] },
    { fields: ['account_id', 'friendly_code'] },
  ],
  countBy: [['account_id'], ['account_id', 'status']],
};
