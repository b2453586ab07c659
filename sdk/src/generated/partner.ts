// Written by `npm run types` from the OpenAPI documents of the service. Do not edit.
export interface Health {
  status: 'ok' | 'degraded';
  checks: HealthChecks;
  time: string;
}
export interface HealthChecks {
  event_store: 'ok' | 'failing' | 'lagging';
  read_store: 'ok' | 'failing' | 'lagging';
  projections: 'ok' | 'failing' | 'lagging';
}
export interface Capabilities {
  contract: 'svc_partner_capabilities_v1';
  /**
   * The credential's
   */
  environment: 'live' | 'test';
  features: Features;
  polling: Polling;
  limits: Limits;
  /**
   * @minItems 0
   * @maxItems 3
   */
  content_types: ('text' | 'pdf' | 'raw')[];
  versions: Versions;
}
export interface Features {
  /**
   * Poll jobs instead
   */
  webhooks: false;
  jobs: boolean;
  enrollment: boolean;
  printers: boolean;
}
export interface Polling {
  /**
   * ETag and If-None-Match; a 304 is not counted by the rate limit
   */
  conditional_requests: boolean;
  /**
   * Longest `Prefer: wait=N` on a job
   */
  max_wait_seconds: number;
}
export interface Limits {
  request_body_bytes: number;
  content_bytes: number;
  copies: number;
  page_size: number;
  /**
   * A key is kept so long, and at least until the job expires
   */
  idempotency_key_hours: number;
  job_expiry_days: number;
  enrollment_ttl_seconds: number;
  device_credential_days: number;
  /**
   * By operationId; `all` of one credential together
   */
  requests_per_minute: {
    [k: string]: number;
  };
}
export interface Versions {
  product: string;
  contract: 'v1';
  managed_contract: 'v1';
}
export interface EnrollBody {
  enrollment_token: string;
  installation_id: string;
  display_name?: string;
  hostname?: string;
  operating_system?: string;
  agent_version?: string;
}
export interface EnrolledDevice {
  device_id: string;
  account_id: string;
  friendly_code: string;
  /**
   * A secret, shown this once
   */
  device_credential: string;
  credential_expires_at: string;
  agent: AgentEndpoint;
}
export interface AgentEndpoint {
  base_url: string;
  poll_wait_seconds: number;
  heartbeat_seconds: number;
}
export interface ProvisionAccountBody {
  /**
   * The partner's own id of the customer
   */
  external_id: string;
  display_name: string;
}
export interface PartnerAccount {
  contract: 'svc_partner_account_v1';
  account_id: string;
  external_id: string;
  /**
   * The partner
   */
  partner: string;
  display_name: string;
  status: 'active' | 'suspended' | 'closed';
  created_at: string;
}
export interface DeactivateAccountBody {
  reason?: string;
}
export interface CreateEnrollmentBody {
  ttl_seconds?: number;
}
export interface Enrollment {
  enrollment_id: string;
  /**
   * A secret, shown this once
   */
  enrollment_token: string;
  expires_at: string;
  account_id: string;
}
export interface Device {
  device_id: string;
  friendly_code: string;
  display_name: string;
  hostname: string | null;
  operating_system: string | null;
  agent_version: string | null;
  status: 'online' | 'offline' | 'revoked';
  raw_status: 'pending' | 'online' | 'offline' | 'disabled' | 'revoked';
  last_seen_at: string | null;
  printer_count: number;
  created_at: string;
}
export interface DeactivateDeviceBody {
  reason?: string;
}
export interface DevicePrinter {
  printer_id: string;
  device_id: string;
  /**
   * As the computer calls it
   */
  system_name: string;
  /**
   * As PATCH named it
   */
  alias: string | null;
  /**
   * The alias, else the system name
   */
  display_name: string;
  enabled: boolean;
  text_encoding?:
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
  line_ending?: 'lf' | 'crlf' | 'cr';
  text_mode?: 'raw' | 'pages';
  cut_after?: boolean;
  status: 'online' | 'offline' | 'disabled' | 'removed';
  /**
   * The Agent's last word
   */
  raw_status: 'online' | 'offline';
  device_status: 'online' | 'offline' | 'revoked';
  is_default: boolean;
  last_seen_at: string | null;
  capabilities: PrinterCapabilities | null;
}
export interface PrinterCapabilities {
  /**
   * @minItems 0
   * @maxItems 3
   */
  content_types: ('pdf' | 'raw' | 'text')[];
  color: boolean | null;
  duplex: boolean | null;
  /**
   * PWG 5101.1 names; custom_min_… and custom_max_… are a range
   *
   * @minItems 0
   * @maxItems 100
   */
  papers: string[];
  /**
   * @minItems 0
   * @maxItems 100
   */
  trays?: string[];
  /**
   * @minItems 0
   * @maxItems 50
   */
  resolutions_dpi?: number[];
  margins_mm?: Margins;
  /**
   * Names of the options that it can apply
   *
   * @minItems 0
   * @maxItems 20
   */
  options?: string[];
}
export interface Margins {
  top: number;
  right: number;
  bottom: number;
  left: number;
}
export interface UpdatePrinterBody {
  enabled?: boolean;
  /**
   * Empty = the detected name again
   */
  display_name?: string;
  /**
   * What the Agent encodes text in; null = not set
   */
  text_encoding?:
    | 'utf-8'
    | 'windows-1252'
    | 'cp437'
    | 'cp850'
    | 'cp852'
    | 'cp858'
    | 'cp866'
    | 'iso8859-15'
    | 'shift_jis'
    | 'gb18030'
    | null;
  /**
   * How lines of text end; null = not set
   */
  line_ending?: 'lf' | 'crlf' | 'cr' | null;
  /**
   * raw: its bytes reach the printer; pages: it is drawn; null = not set
   */
  text_mode?: 'raw' | 'pages' | null;
  /**
   * The printer knows ESC/POS; true: cut after each copy; null = not set
   */
  cut_after?: boolean | null;
}
export interface CreateJobBody {
  /**
   * The document: type selects the variant. At most 10,485,760 decoded bytes.
   */
  content:
    | {
        type: 'text';
        encoding: 'utf8';
        /**
         * UTF-8 text
         */
        data: string;
      }
    | {
        type: 'pdf';
        encoding: 'base64';
        /**
         * Base64 of a whole PDF
         */
        data: string;
      }
    | {
        type: 'raw';
        encoding: 'base64';
        /**
         * Base64 of bytes the printer understands
         */
        data: string;
      };
  copies?: number;
  options?: JobOptions;
  external_id?: string;
  title?: string;
  /**
   * In the future, at most 30 days away
   */
  expires_at?: string;
  printer_id: string;
}
export interface JobOptions {
  tray?: string;
  duplex?: 'one-sided' | 'long-edge' | 'short-edge';
  color?: boolean;
  /**
   * Absent: shrink
   */
  scale?: 'actual' | 'fit' | 'shrink';
  orientation?: 'portrait' | 'landscape';
  /**
   * Degrees clockwise
   */
  rotate?: 0 | 90 | 180 | 270;
  pages?: string;
  /**
   * Absent: true
   */
  collate?: boolean;
  resolution_dpi?: number;
  /**
   * What to do if an option cannot be applied. Absent: refuse
   */
  unsupported?: 'refuse' | 'ignore';
  /**
   * A short name (A4, Letter, 4x6), a PWG name, a name that the printer lists, or a size
   */
  paper?:
    | string
    | {
        width_mm: number;
        height_mm: number;
      };
}
export interface Job {
  job_id: string;
  account_id: string;
  environment: 'live';
  printer_id: string;
  status: 'queued' | 'processing' | 'printed' | 'failed';
  /**
   * Internal detail: not for decisions; explainJob says what it means
   */
  raw_status:
    | 'created'
    | 'queued'
    | 'leased'
    | 'accepted_by_agent'
    | 'sent_to_spooler'
    | 'spooler_completed'
    | 'failed'
    | 'manual_review'
    | 'cancelled'
    | 'expired';
  external_id: string | null;
  title: string | null;
  content_type: 'pdf' | 'raw' | 'text';
  /**
   * SHA-256 of the decoded bytes
   */
  content_hash: string;
  /**
   * Decoded bytes
   */
  content_size_bytes: number;
  copies: number;
  options?: JobOptions;
  created_at: string;
  updated_at: string;
  expires_at: string;
  completed_at: string | null;
  failure_code: string | null;
  failure_message: string | null;
  receipt?: JobReceipt;
}
export interface JobReceipt {
  applied: AppliedOptions;
  /**
   * @minItems 0
   * @maxItems 40
   */
  ignored: IgnoredOption[];
}
export interface AppliedOptions {
  paper?: string;
  tray?: string;
  duplex?: 'one-sided' | 'long-edge' | 'short-edge';
  color?: boolean;
  scale?: 'actual' | 'fit' | 'shrink';
  resolution_dpi?: number;
  page_count?: number;
  /**
   * Width and height
   *
   * @minItems 2
   * @maxItems 2
   */
  sheet_mm?: number[];
  /**
   * Size on the sheet in percent of the size in the document
   */
  drawn_percent?: number;
}
export interface IgnoredOption {
  /**
   * text: a letter that is printed in another form
   */
  option:
    | 'paper'
    | 'tray'
    | 'duplex'
    | 'color'
    | 'scale'
    | 'orientation'
    | 'rotate'
    | 'pages'
    | 'collate'
    | 'resolution_dpi'
    | 'text';
  reason: string;
}
export interface JobHelp {
  verdict:
    | 'waiting'
    | 'blocked'
    | 'printing'
    | 'finished'
    | 'retrying'
    | 'failed'
    | 'needs_decision'
    | 'cancelled'
    | 'expired';
  /**
   * Of any attempt
   */
  may_have_printed: boolean;
  cause:
    | 'next_in_turn'
    | 'jobs_before_it'
    | 'given_back_by_agent'
    | 'account_not_active'
    | 'computer_revoked'
    | 'agent_not_started'
    | 'computer_disabled'
    | 'computer_offline'
    | 'agent_too_old'
    | 'printer_removed'
    | 'printer_disabled'
    | 'printer_paused'
    | 'printer_offline'
    | 'printer_stuck'
    | 'out_of_paper'
    | 'with_agent'
    | 'handed_off'
    | 'in_spooler'
    | 'spooler_finished'
    | 'document_lost'
    | 'document_damaged'
    | 'document_not_printable'
    | 'option_refused'
    | 'agent_lost'
    | 'lease_lapsed'
    | 'cancelled_at_computer'
    | 'not_taken_by_spooler'
    | 'handoff_unconfirmed'
    | 'spooler_vanished'
    | 'spooler_aborted'
    | 'spooler_silent'
    | 'service_restored'
    | 'unexpected_evidence'
    | 'credential_shared'
    | 'cancelled'
    | 'expired_waiting'
    | 'expired_undecided';
  /**
   * When the cause began
   */
  since: string;
  /**
   * In this order
   *
   * @minItems 0
   * @maxItems 10
   */
  next_steps: NextStep[];
}
export interface NextStep {
  action:
    | 'wait'
    | 'resume_account'
    | 'raise_plan'
    | 'start_computer'
    | 'connect_computer'
    | 'enable_computer'
    | 'revoke_computer'
    | 'update_agent'
    | 'enable_printer'
    | 'resume_printer'
    | 'load_paper'
    | 'check_printer'
    | 'move_queue'
    | 'look_for_paper'
    | 'retry'
    | 'reprint'
    | 'send_again'
    | 'change_document'
    | 'change_options';
  /**
   * operationId of what does it: of the Integration API, the panel or operators
   */
  operation?: string;
  text: string;
}
export interface JobsBody {
  /**
   * @minItems 1
   * @maxItems 100
   */
  jobs: JobOfBatch[];
}
export interface JobOfBatch {
  /**
   * The document: type selects the variant. At most 10,485,760 decoded bytes.
   */
  content:
    | {
        type: 'text';
        encoding: 'utf8';
        /**
         * UTF-8 text
         */
        data: string;
      }
    | {
        type: 'pdf';
        encoding: 'base64';
        /**
         * Base64 of a whole PDF
         */
        data: string;
      }
    | {
        type: 'raw';
        encoding: 'base64';
        /**
         * Base64 of bytes the printer understands
         */
        data: string;
      };
  copies?: number;
  options?: JobOptions;
  external_id?: string;
  title?: string;
  /**
   * In the future, at most 30 days away
   */
  expires_at?: string;
  printer_id: string;
  /**
   * That of a single create: both make the job once
   */
  idempotency_key: string;
}
export interface JobResults {
  /**
   * @minItems 0
   * @maxItems 100
   */
  results: JobResult[];
}
export interface JobResult {
  /**
   * That of a single create with this job
   */
  status: number;
  code: string;
  message?: string;
  data?: Job;
}
export interface AccountChangesPage {
  /**
   * Go on with it as `after`; it is valid for ever
   */
  next_cursor: string;
  /**
   * Ask again at once
   */
  has_more: boolean;
  /**
   * @minItems 0
   * @maxItems 1000
   */
  items: AccountChange[];
}
export interface AccountChange {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type:
    | 'job.created'
    | 'job.queued'
    | 'job.leased'
    | 'job.accepted_by_agent'
    | 'job.sent_to_spooler'
    | 'job.spooler_completed'
    | 'job.failed'
    | 'job.manual_review'
    | 'job.cancelled'
    | 'job.expired'
    | 'computer.registered'
    | 'computer.pending'
    | 'computer.online'
    | 'computer.offline'
    | 'computer.disabled'
    | 'computer.revoked'
    | 'printer.detected'
    | 'printer.online'
    | 'printer.offline'
    | 'printer.removed'
    | 'printer.disabled'
    | 'printer.updated';
  created_at: string;
  /**
   * Orders the events of one resource
   */
  sequence: number;
  account_id: string;
  environment: 'live';
  data: ChangedOfAccount;
}
export interface ChangedOfAccount {
  job?: Job;
  device?: Device;
  printer?: DevicePrinter;
}
export interface ListDevicesQuery {
  /**
   * next_cursor of the page before
   */
  cursor?: string;
  limit?: number;
  status?: 'online' | 'offline' | 'revoked';
}
export interface ListDevicesData {
  items: Device[];
  has_more: boolean;
  next_cursor: string | null;
}
export interface ListAccountPrintersQuery {
  /**
   * next_cursor of the page before
   */
  cursor?: string;
  limit?: number;
  status?: 'online' | 'offline' | 'disabled' | 'removed';
  device_id?: string;
  enabled?: boolean;
}
export interface ListAccountPrintersData {
  items: DevicePrinter[];
  has_more: boolean;
  next_cursor: string | null;
}
export interface ListJobsQuery {
  /**
   * next_cursor of the page before
   */
  cursor?: string;
  limit?: number;
  status?: 'queued' | 'processing' | 'printed' | 'failed';
  printer_id?: string;
}
export interface ListJobsData {
  items: Job[];
  has_more: boolean;
  next_cursor: string | null;
}
export interface ListAccountChangesQuery {
  limit?: number;
  /**
   * The next_cursor of an earlier answer, or `now`; absent: from the first event
   */
  after?: string;
  /**
   * Names separated by commas; absent: all
   */
  event_types?: string;
}
export interface ListManagedChangesQuery {
  limit?: number;
  /**
   * The next_cursor of an earlier answer, or `now`; absent: from the first event
   */
  after?: string;
  /**
   * Names separated by commas; absent: all
   */
  event_types?: string;
}

export interface Operations {
  getHealth: {
    body: undefined;
    query: undefined;
    data: Health;
    codes:
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE';
  };
  getCapabilities: {
    body: undefined;
    query: undefined;
    data: Capabilities;
    codes:
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE';
  };
  provisionAccount: {
    body: ProvisionAccountBody;
    query: undefined;
    data: PartnerAccount;
    codes:
      | 'ACCOUNT_CLOSED'
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  deactivateAccount: {
    body: DeactivateAccountBody;
    query: undefined;
    data: PartnerAccount;
    codes:
      | 'ACCOUNT_NOT_FOUND'
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  createEnrollment: {
    body: CreateEnrollmentBody;
    query: undefined;
    data: Enrollment;
    codes:
      | 'ACCOUNT_CLOSED'
      | 'ACCOUNT_NOT_FOUND'
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  listDevices: {
    body: undefined;
    query: ListDevicesQuery;
    data: ListDevicesData;
    codes:
      | 'ACCOUNT_NOT_FOUND'
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE';
  };
  deactivateDevice: {
    body: DeactivateDeviceBody;
    query: undefined;
    data: Device;
    codes:
      | 'ACCOUNT_CLOSED'
      | 'ACCOUNT_NOT_FOUND'
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'DEVICE_NOT_FOUND'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  listAccountPrinters: {
    body: undefined;
    query: ListAccountPrintersQuery;
    data: ListAccountPrintersData;
    codes:
      | 'ACCOUNT_NOT_FOUND'
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'DEVICE_NOT_FOUND'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE';
  };
  updatePrinter: {
    body: UpdatePrinterBody;
    query: undefined;
    data: DevicePrinter;
    codes:
      | 'ACCOUNT_CLOSED'
      | 'ACCOUNT_NOT_FOUND'
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'PRINTER_NOT_FOUND'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  createJob: {
    body: CreateJobBody;
    query: undefined;
    data: Job;
    codes:
      | 'ACCOUNT_CLOSED'
      | 'ACCOUNT_NOT_FOUND'
      | 'AGENT_TOO_OLD'
      | 'AUTHORITY_OVERRIDE'
      | 'CONTENT_TOO_LARGE'
      | 'CONTENT_TYPE_NOT_SUPPORTED'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'OPTION_NOT_SUPPORTED'
      | 'PAYLOAD_TOO_LARGE'
      | 'PLAN_LIMIT_REACHED'
      | 'PRINTER_NOT_FOUND'
      | 'PRINTER_NOT_READY'
      | 'PUBLIC_API_DISABLED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_IDEMPOTENCY_CONFLICT'
      | 'SVC_VIRTUAL_PRINTERS_ONLY'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  listJobs: {
    body: undefined;
    query: ListJobsQuery;
    data: ListJobsData;
    codes:
      | 'ACCOUNT_NOT_FOUND'
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PRINTER_NOT_FOUND'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE';
  };
  getJob: {
    body: undefined;
    query: undefined;
    data: Job;
    codes:
      | 'ACCOUNT_NOT_FOUND'
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'JOB_NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE';
  };
  explainJob: {
    body: undefined;
    query: undefined;
    data: JobHelp;
    codes:
      | 'ACCOUNT_NOT_FOUND'
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'JOB_NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE';
  };
  createJobs: {
    body: JobsBody;
    query: undefined;
    data: JobResults;
    codes:
      | 'ACCOUNT_NOT_FOUND'
      | 'AUTHORITY_OVERRIDE'
      | 'CONTENT_TOO_LARGE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'PUBLIC_API_DISABLED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  listAccountChanges: {
    body: undefined;
    query: ListAccountChangesQuery;
    data: AccountChangesPage;
    codes:
      | 'ACCOUNT_NOT_FOUND'
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'HISTORY_CHANGED'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE';
  };
  listManagedChanges: {
    body: undefined;
    query: ListManagedChangesQuery;
    data: AccountChangesPage;
    codes:
      | 'AUTHORITY_OVERRIDE'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'HISTORY_CHANGED'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE';
  };
}

export const operations = {
  getHealth: { method: 'GET', path: '/managed/health', scopes: ['diagnostics:read'], keyed: false },
  getCapabilities: {
    method: 'GET',
    path: '/managed/capabilities',
    scopes: ['diagnostics:read'],
    keyed: false,
  },
  provisionAccount: { method: 'POST', path: '/accounts', scopes: ['accounts:write'], keyed: false },
  deactivateAccount: {
    method: 'POST',
    path: '/accounts/{account_id}/deactivate',
    scopes: ['accounts:write'],
    keyed: false,
  },
  createEnrollment: {
    method: 'POST',
    path: '/accounts/{account_id}/enrollments',
    scopes: ['devices:write'],
    keyed: false,
  },
  listDevices: {
    method: 'GET',
    path: '/accounts/{account_id}/devices',
    scopes: ['devices:read'],
    keyed: false,
  },
  deactivateDevice: {
    method: 'POST',
    path: '/accounts/{account_id}/devices/{device_id}/deactivate',
    scopes: ['devices:write'],
    keyed: false,
  },
  listAccountPrinters: {
    method: 'GET',
    path: '/accounts/{account_id}/printers',
    scopes: ['printers:read'],
    keyed: false,
  },
  updatePrinter: {
    method: 'PATCH',
    path: '/accounts/{account_id}/printers/{printer_id}',
    scopes: ['printers:write'],
    keyed: false,
  },
  createJob: { method: 'POST', path: '/accounts/{account_id}/jobs', scopes: ['jobs:write'], keyed: true },
  listJobs: { method: 'GET', path: '/accounts/{account_id}/jobs', scopes: ['jobs:read'], keyed: false },
  getJob: {
    method: 'GET',
    path: '/accounts/{account_id}/jobs/{job_id}',
    scopes: ['jobs:read'],
    keyed: false,
  },
  explainJob: {
    method: 'GET',
    path: '/accounts/{account_id}/jobs/{job_id}/explanation',
    scopes: ['jobs:read'],
    keyed: false,
  },
  createJobs: {
    method: 'POST',
    path: '/accounts/{account_id}/jobs/batch',
    scopes: ['jobs:write'],
    keyed: false,
  },
  listAccountChanges: { method: 'GET', path: '/accounts/{account_id}/changes', scopes: [], keyed: false },
  listManagedChanges: { method: 'GET', path: '/managed/changes', scopes: [], keyed: false },
} as const;
