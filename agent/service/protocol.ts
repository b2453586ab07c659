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
  /** Version of the printers that the service adds to this computer; older services omit it. */
  added_printers?: string;
}

/** Printers without a queue that the service adds to this computer. */
export interface AddedPrinterList {
  version: string;
  printers: { name: string; address: string }[];
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
  /** As in `Session`. */
  added_printers?: string;
}

/** What an Agent can do beyond the first protocol; named when it starts a session. */
export const FEATURES = ['options/1', 'printers/1', 'text/1'] as const;

export interface Capabilities {
  content_types: ContentType[];
  color: boolean | null;
  duplex: boolean | null;
  /** PWG 5101.1 names, which end with the size: `iso_a4_210x297mm`. `custom_min_…` and `custom_max_…` are a range. */
  papers: string[];
  trays?: string[];
  resolutions_dpi?: number[];
  /** Parts of the sheet that the printer cannot print on. */
  margins_mm?: Margins;
  /** The options that this printer can apply; absent from printers that know none. */
  options?: OptionName[];
}

export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}

export type OptionName = Exclude<keyof PrintOptions, 'unsupported'>;

/** Wishes of a job for its pages. An absent one leaves the setting of the queue, or the default of the option. */
export interface PrintOptions {
  paper?: Paper;
  tray?: string;
  duplex?: 'one-sided' | 'long-edge' | 'short-edge';
  color?: boolean;
  /** Default `shrink`. */
  scale?: 'actual' | 'fit' | 'shrink';
  orientation?: 'portrait' | 'landscape';
  /** Degrees clockwise. */
  rotate?: 0 | 90 | 180 | 270;
  /** `1-3,7,10-`: ranges of pages in ascending order, from 1. */
  pages?: string;
  /** Default true. */
  collate?: boolean;
  resolution_dpi?: number;
  /** What to do if an option cannot be applied. */
  unsupported: 'refuse' | 'ignore';
}

/** How a printer takes text. An absent setting leaves the document, or the queue, as it is. */
export interface TextSettings {
  /** What the UTF-8 text is encoded in. */
  encoding?: TextEncoding;
  line_ending?: 'lf' | 'crlf' | 'cr';
  /** `raw`: the encoded bytes reach the printer. `pages`: the text is drawn. */
  mode?: 'raw' | 'pages';
  /** Given for printers that understand ESC/POS, which cut the paper after each copy if true. */
  cut_after?: boolean;
}

export type TextEncoding =
  | 'utf-8'
  | 'windows-1252'
  | 'cp437'
  | 'cp850'
  | 'cp852'
  | 'cp858'
  | 'cp866'
  | 'iso8859-15'
  | 'shift_jis'
  | 'gb18030';

/** Sizes are missing from names of the printer's own that tell none. */
export interface Paper {
  /** PWG name, or the printer's own; absent for a size alone. */
  name?: string;
  width_mm?: number;
  height_mm?: number;
}

/** What driver or printer confirmed for a document. Absent: not known. */
export interface Applied {
  paper?: string;
  tray?: string;
  duplex?: 'one-sided' | 'long-edge' | 'short-edge';
  color?: boolean;
  scale?: 'actual' | 'fit' | 'shrink';
  resolution_dpi?: number;
  page_count?: number;
  sheet_mm?: [width: number, height: number];
  /** Size on the sheet in percent of the size in the document, with one decimal. */
  drawn_percent?: number;
}

/** `text`: a letter of a text document that is printed in another form. */
export interface IgnoredOption {
  option: OptionName | 'text';
  reason: string;
}

export interface Receipt {
  applied: Applied;
  ignored: IgnoredOption[];
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
  /** Identity of the device, if known: a printer-uuid, a serial number or an address. At most 255 characters. */
  device_identity?: string;
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
  /** Only given to sessions with the feature `options/1`. */
  options?: PrintOptions;
  /** Of text documents; only given to sessions with the feature `text/1`. */
  text?: TextSettings;
  /** `svc:<job_id>:<fence>`: finds the document at the spooler. */
  document_name: string;
  expires_at: string;
  lease_expires_at: string;
  /** W3C Trace Context of the job; then that of the Agent's span, if it has one. Only of traced jobs. */
  traceparent?: string;
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
  /** Printers whose spooler makes no progress, or that cannot print for another reason. */
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
  /** With `spooled`. */
  applied?: Applied;
  ignored?: IgnoredOption[];
  /** Sent as a header. */
  traceparent?: string;
}

export interface ReportResult {
  event_id: string;
  result: 'applied' | 'duplicate' | 'late' | 'rejected';
  code?: string;
}
