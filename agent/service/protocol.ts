/** Messages of the agent protocol (docs/agent-protocol.md). */

export type Phase = 'leased' | 'accepted' | 'handing_off' | 'handed_off';
export type ContentType = 'text' | 'pdf' | 'raw';
export type FailureClass = 'temporary' | 'permanent' | 'ambiguous';

export interface Enrolled {
  device_id: string;
  account_id: string;
  friendly_code: string;
  device_credential: string;
  /** Older services omit it. */
  credential_expires_at?: string;
}

export interface RenewedCredential {
  device_credential: string;
  credential_expires_at: string;
}

export interface AgentFacts {
  installation_id: string;
  agent_version: string;
  /** Of the program that installed the agent as a service. */
  installer_version?: string;
  operating_system: string;
  hostname: string;
}

export interface JournalEntry {
  job_id: string;
  lease_id: string;
  fence: number;
  phase: Phase;
}

export type Verdict = 'continue' | 'report' | 'abandon' | 'forget';

export interface Session {
  session_id: string;
  computer_id: string;
  position?: string;
  config: {
    poll_wait_seconds: number;
    heartbeat_seconds: number;
    lease_seconds: number;
    max_leases: number;
    /** Absent from services that know neither busy nor stuck printers and refuse such fields. */
    max_leases_per_printer?: number;
  };
  reconcile: { job_id: string; fence: number; verdict: Verdict }[];
  /** Older services omit it. */
  credential_expires_at?: string;
}

/**
 * `position`: the newest event of the service's store. Opaque; comparable as a string. Older services omit it.
 */
export interface LeaseAnswer {
  leases: Lease[];
  position?: string;
}

export interface Permit {
  /** Seconds after the request during which the document may be submitted. */
  permit_seconds: number;
  position?: string;
}

export interface HeartbeatAnswer {
  renewed: { lease_id: string; lease_expires_at: string }[];
  lost: { lease_id: string; reason: 'cancelled' | 'expired' | 'lapsed' | 'superseded' }[];
  resync_inventory: boolean;
  renew_credential?: boolean;
}

export interface Capabilities {
  content_types: ContentType[];
  color: boolean | null;
  duplex: boolean | null;
  papers: string[];
}

export interface InventoryPrinter {
  /** Stable name of the printer, chosen by the agent. */
  printer_key: string;
  name: string;
  driver?: string;
  port?: string;
  is_default: boolean;
  is_virtual: boolean;
  online: boolean;
  capabilities: Capabilities;
}

export interface InventoryAnswer {
  printers: { printer_key: string; printer_id: string; printer_code: string; enabled: boolean }[];
}

export interface Lease {
  lease_id: string;
  job_id: string;
  fence: number;
  printer_id: string;
  printer_key: string;
  content_type: ContentType;
  /** SHA-256 of the document, lower-case hex. */
  content_hash: string;
  content_size_bytes: number;
  copies: number;
  title?: string;
  /** `svc:<job_id>:<fence>`: name of the document at the spooler. */
  document_name: string;
  expires_at: string;
  lease_expires_at: string;
}

export type ReportType =
  | 'spooled'
  | 'spooler_completed'
  | 'spooler_failed'
  | 'spooler_cancelled'
  | 'spooler_vanished'
  | 'not_submitted'
  | 'rejected';

/** Sent with each heartbeat; shown to the operator. */
export interface AgentHealth {
  free_bytes: number;
  low_space: boolean;
  unsent_reports: number;
  /** Age of the oldest unsent report; 0 without one. */
  oldest_report_seconds: number;
  /** The last document that was not printed, or printers that are not reported. */
  last_error?: { code: string; message: string; at: string };
  /** Printers whose spooler makes no progress. */
  stuck_printers?: StuckPrinter[];
}

export interface StuckPrinter {
  printer_key: string;
  reason: string;
  since: string;
}

export interface Report {
  event_id: string;
  job_id: string;
  lease_id: string;
  fence: number;
  type: ReportType;
  occurred_at: string;
  spooler_provider?: string;
  spooler_job_id?: string;
  failure_code?: string;
  failure_class?: FailureClass;
  message?: string;
}

export interface ReportResult {
  event_id: string;
  result: 'applied' | 'duplicate' | 'late' | 'rejected';
  code?: string;
}
