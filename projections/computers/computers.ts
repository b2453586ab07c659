import type {
  AgentHealth,
  ComputerStatus,
  UnknownJob,
} from '../../src/contexts/devices/domain/computer.events.js';
import type { ViewDefinition } from '../../src/kernel/projection.js';
import type { Instant } from '../../src/kernel/time.js';

interface UnknownJobDocument {
  readonly job_id: string;
  readonly lease_id: string;
  readonly fence: number;
  readonly phase: UnknownJob['phase'];
  readonly reported_at: Instant;
}

/** As of `reported_at`, which not every heartbeat changes. */
interface HealthDocument {
  readonly free_bytes: number;
  readonly low_space: boolean;
  readonly unsent_reports: number;
  readonly behind: boolean;
  readonly last_error: AgentHealth['lastError'];
  /** Absent from documents of earlier releases. */
  readonly stuck_printers?: readonly {
    readonly printer_key: string;
    readonly reason: string;
    readonly since: Instant;
  }[];
  readonly reported_at: Instant;
}

/** The liveness store has its `last_seen_at`. */
export interface ComputerDocument {
  readonly computer_id: string;
  readonly account_id: string;
  readonly installation_id: string;
  readonly friendly_code: string;
  readonly name: string;
  readonly hostname?: string;
  readonly operating_system?: string;
  readonly agent_version?: string;
  readonly installer_version?: string;
  readonly status: ComputerStatus;
  /** Excludes removed printers. */
  readonly printer_count: number;
  readonly created_at: Instant;
  readonly updated_at: Instant;
  readonly session_id?: string;
  /** For the operator only; at most 100. */
  readonly unknown_jobs?: readonly UnknownJobDocument[];
  /** For the operator only; absent until one is added. */
  readonly added_printers?: readonly { readonly name: string; readonly address: string }[];
  /** For the operator only; absent until the agent reports it. */
  readonly health?: HealthDocument;
  /** SHA-256, for authentication, never shown; null after revocation. */
  readonly credential_hash: string | null;
  readonly credential_expires_at: Instant | null;
  readonly renewed_credential?: { readonly hash: string; readonly expires_at: Instant };
  readonly sequence: number;
}

export const computersView: ViewDefinition<ComputerDocument> = {
  name: 'computers',
  version: 4,
  indexes: [
    { fields: ['account_id'] },
    { fields: ['account_id', 'status'] },
    { fields: ['account_id', 'friendly_code'] },
    { fields: ['credential_expires_at'] },
  ],
  countBy: [['account_id'], ['account_id', 'status'], ['status']],
};
