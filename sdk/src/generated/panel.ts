// Written by `npm run types` from the OpenAPI documents of the service. Do not edit.
export interface SessionState {
  session: PanelSession | null;
  versions: Versions;
}
export interface PanelSession {
  kind: 'member' | 'operator';
  /**
   * Id of the member, or name of the operator
   */
  person_id: string;
  display_name: string;
  sign_in_name: string | null;
  role: 'viewer' | 'developer' | 'owner' | null;
  /**
   * @minItems 0
   * @maxItems 32
   */
  scopes: string[];
  account: SessionAccount | null;
  has_password: boolean;
  /**
   * A new password needs no old one
   */
  old_password_not_needed: boolean;
  /**
   * Colours of the pages
   */
  theme: 'system' | 'light' | 'dark';
  signed_in_at: string;
  /**
   * Shown until dismissed
   *
   * @minItems 0
   * @maxItems 20
   */
  link_notices: LinkNotice[];
  /**
   * Until then an operator sees the account as its viewers do
   */
  visit_ends_at: string | null;
}
export interface SessionAccount {
  account_id: string;
  name: string;
  slug: string;
  status: 'active' | 'suspended' | 'closed';
  environment_enabled: boolean;
  plan: AccountPlan;
}
export interface AccountPlan {
  jobs_per_month: number | null;
  max_content_bytes: number;
  max_auto_retries: number;
}
export interface LinkNotice {
  made_by: NamedActor;
  made_at: string;
  /**
   * When it was used
   */
  used_at: string | null;
}
export interface NamedActor {
  kind: 'api_key' | 'partner' | 'device' | 'enrollment' | 'operator' | 'member' | 'process';
  id: string;
  /**
   * Of the member, computer or key; else the id
   */
  name: string;
}
export interface Versions {
  product: string;
  contract: 'v1';
}
export interface SignInBody {
  sign_in_name: string;
  password: string;
}
export interface LinkSignInBody {
  token: string;
}
export interface EndSessionBody {
  everywhere?: boolean;
}
export interface PasswordBody {
  current?: string;
  next: string;
}
export interface OpenSessions {
  /**
   * The last used first
   *
   * @minItems 0
   * @maxItems 100
   */
  items: OpenSession[];
}
export interface OpenSession {
  session_id: string;
  /**
   * It made this request
   */
  current: boolean;
  signed_in_by: 'link' | 'password';
  signed_in_at: string;
  /**
   * To the minute
   */
  last_request_at: string;
  address: string | null;
  user_agent: string | null;
}
export interface ChosenTheme {
  theme: 'system' | 'light' | 'dark';
}
export interface AccountVisit {
  account_id: string;
  /**
   * At the latest; at once after `leaveAccount`
   */
  ends_at: string;
}
export interface Overview {
  /**
   * Jobs by status
   */
  counts: {
    created: number;
    queued: number;
    leased: number;
    accepted_by_agent: number;
    sent_to_spooler: number;
    spooler_completed: number;
    failed: number;
    manual_review: number;
    cancelled: number;
    expired: number;
  };
  /**
   * Queued jobs by printer, most first
   *
   * @minItems 0
   * @maxItems 500
   */
  waiting: WaitingJobs[];
  /**
   * Printers that are not online, for which jobs wait or whose computer has some
   *
   * @minItems 0
   * @maxItems 500
   */
  printers_offline: OfflinePrinter[];
  /**
   * Printers with a job that has waited, or has been at the computer, for more than five minutes; longest first
   *
   * @minItems 0
   * @maxItems 500
   */
  printers_behind: PrinterBehind[];
  /**
   * Of the newest 1,000 computers
   *
   * @minItems 0
   * @maxItems 1000
   */
  ending_credentials: EndingCredential[];
  /**
   * Of the newest 1,000 computers, at most 20 each
   *
   * @minItems 0
   * @maxItems 20000
   */
  stuck_printers: StuckPrinter[];
  month: MonthlyUse;
  first_steps: FirstSteps;
  /**
   * @minItems 0
   * @maxItems 12
   */
  attention: Attention[];
}
export interface WaitingJobs {
  printer_id: string;
  count: number;
  /**
   * When the oldest began to wait
   */
  since: string | null;
}
export interface OfflinePrinter {
  printer_id: string;
  /**
   * When it was changed last
   */
  since: string;
}
export interface PrinterBehind {
  printer_id: string;
  printer_name: string;
  computer_name: string;
  job: LateJob;
}
export interface LateJob {
  job_id: string;
  title: string | null;
  status:
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
  /**
   * When it came into this status
   */
  since: string;
}
export interface EndingCredential {
  computer_id: string;
  credential_expires_at: string;
}
export interface StuckPrinter {
  printer_id: string;
  reason: string;
  since: string;
}
export interface MonthlyUse {
  used: number;
  limit: number | null;
}
export interface FirstSteps {
  /**
   * A computer was connected
   */
  computer: boolean;
  /**
   * A job was created
   */
  job: boolean;
  /**
   * An API key was created
   */
  key: boolean;
}
export interface Attention {
  kind:
    | 'jobs_in_review'
    | 'printer_offline_with_jobs'
    | 'printer_backlog'
    | 'printer_stuck'
    | 'dead_letters'
    | 'webhook_failing'
    | 'webhook_paused'
    | 'webhook_given_up'
    | 'key_expires_soon'
    | 'device_credential_ends'
    | 'plan_nearly_used'
    | 'plan_used_up';
  /**
   * Of dead letters at most 100
   */
  count: number;
  /**
   * Of the oldest
   */
  since: string | null;
  /**
   * Page of the panel
   */
  link: string;
}
export interface AccountActivity {
  from: string;
  to: string;
  /**
   * Oldest first
   *
   * @minItems 0
   * @maxItems 720
   */
  jobs: HourOfJobs[];
  /**
   * Of all jobs, from creation to the spooler
   */
  p50_ms: number | null;
  p95_ms: number | null;
  /**
   * Oldest first
   *
   * @minItems 0
   * @maxItems 720
   */
  deliveries: HourOfDeliveries[];
  /**
   * Of the last 48 hours at most; the newest 50 computers and 100 printers
   *
   * @minItems 0
   * @maxItems 150
   */
  availability: AvailabilityStrip[];
}
export interface HourOfJobs {
  /**
   * When the hour began, in UTC
   */
  hour: string;
  created: number;
  completed: number;
  /**
   * Also those of which a retry is scheduled
   */
  failed: number;
  in_review: number;
  expired: number;
  cancelled: number;
  /**
   * Waiting, or at the Agent or the spooler
   */
  unfinished: number;
  /**
   * Half of them were at the spooler within this time
   */
  p50_ms: number | null;
  /**
   * Of 95 %
   */
  p95_ms: number | null;
}
export interface HourOfDeliveries {
  /**
   * When the hour began, in UTC
   */
  hour: string;
  delivered: number;
  /**
   * Tried no more
   */
  failed: number;
  /**
   * Cancelled, or not ended yet
   */
  other: number;
}
export interface AvailabilityStrip {
  kind: 'computer' | 'printer';
  id: string;
  name: string;
  state: 'pending' | 'online' | 'offline' | 'disabled';
  since: string;
  /**
   * How often it went offline
   */
  outages: number;
  /**
   * Oldest first; the last one is the present
   *
   * @minItems 0
   * @maxItems 101
   */
  intervals: PresenceSince[];
}
export interface PresenceSince {
  state: 'pending' | 'online' | 'offline' | 'disabled';
  since: string;
}
export interface PanelEvents {
  /**
   * Oldest first
   *
   * @minItems 0
   * @maxItems 1000
   */
  items: PanelEvent[];
}
export interface PanelEvent {
  event_id: string;
  type: string;
  stream: string;
  /**
   * Position in its stream
   */
  revision: number;
  /**
   * Position among all events
   */
  position: string;
  recorded_at: string;
  data: {};
  /**
   * Actor, ids and time
   */
  metadata: {};
  actor: NamedActor;
}
export interface PrintJob {
  contract: 'svc_job_v1';
  environment: 'live';
  job_id: string;
  printer_id: string;
  printer_code?: string;
  printer_name?: string;
  computer_name?: string;
  external_id?: string;
  title?: string;
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
  status:
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
  /**
   * Leases granted
   */
  attempt_count: number;
  /**
   * Times it came back to queued by a retry
   */
  retry_count: number;
  max_auto_retries: number;
  /**
   * The job whose document it prints again
   */
  reprint_of?: string;
  retry_state: 'none' | 'scheduled' | 'submitted' | 'completed' | 'exhausted' | 'manual_review';
  next_attempt_at?: string;
  last_attempt_at?: string;
  last_failure_at?: string;
  failure_code?: string;
  failure_class?: 'temporary' | 'permanent' | 'ambiguous';
  failure_message?: string;
  manual_review_at?: string;
  spooler_provider?: string;
  spooler_job_id?: string;
  spooler_submitted_at?: string;
  spooler_completed_at?: string;
  receipt?: JobReceipt;
  created_at: string;
  updated_at: string;
  expires_at: string;
  cancelled_at?: string;
  cancellation_reason?: string;
  completed_at?: string;
  duration_ms: number;
  /**
   * True only for spooler_completed, cancelled, expired
   */
  is_final: boolean;
  can_cancel: boolean;
  can_retry: boolean;
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
export interface DocumentPreview {
  /**
   * From the first on
   *
   * @minItems 0
   * @maxItems 3
   */
  pages: PagePicture[];
  /**
   * Of the whole document
   */
  page_count: number | null;
  problem: string | null;
}
export interface PagePicture {
  width: number;
  height: number;
  /**
   * A picture, in base64
   */
  png: string;
}
export interface EnrollmentBody {
  ttl?: number;
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
export interface Computer {
  contract: 'svc_device_v1';
  computer_id: string;
  friendly_code: string;
  name: string;
  hostname?: string;
  operating_system?: string;
  agent_version?: string;
  installer_version?: string;
  status: 'pending' | 'online' | 'offline' | 'disabled' | 'revoked';
  last_seen_at?: string | null;
  created_at: string;
  updated_at: string;
}
export interface RenameBody {
  /**
   * Empty = the reported name again
   */
  display_name: string;
}
export interface PrinterChangesBody {
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
  /**
   * true: its jobs wait until it is resumed
   */
  paused?: boolean;
}
export interface Printer {
  contract: 'svc_printer_v1';
  /**
   * The identity to store; names and codes are for display
   */
  printer_id: string;
  printer_code: string;
  computer_id: string;
  computer_name: string;
  name: string;
  driver?: string | null;
  port?: string | null;
  is_default: boolean;
  is_virtual: boolean;
  enabled: boolean;
  /**
   * Its jobs wait; new ones are taken
   */
  paused?: true;
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
  capabilities?: PrinterCapabilities;
  last_seen_at?: string | null;
  updated_at: string;
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
export interface PrinterQueue {
  printer: Printer;
  /**
   * Queued, leased or to be tried again
   */
  waiting: number;
  /**
   * Accepted by the Agent or in the spooler
   */
  at_agent: number;
  /**
   * null if the printer is not behind
   */
  held_up_by: LateJob | null;
  /**
   * @minItems 0
   * @maxItems 100
   */
  items: PrintJob[];
  has_more: boolean;
  next_cursor: string | null;
}
export interface ClearBody {
  /**
   * next_cursor of the answer before
   */
  cursor?: string;
}
export interface QueueStep {
  /**
   * Jobs that were cancelled, or moved
   */
  done: number;
  /**
   * Jobs that an Agent has taken, or that the other printer cannot print
   */
  left: number;
  /**
   * null after the last jobs
   */
  next_cursor: string | null;
}
export interface MoveBody {
  /**
   * next_cursor of the answer before
   */
  cursor?: string;
  /**
   * A printer of the account that is online
   */
  to_printer_id: string;
}
export interface PanelKeys {
  /**
   * Newest first
   *
   * @minItems 0
   * @maxItems 1000
   */
  items: PanelKey[];
}
export interface PanelKey {
  key_id: string;
  name: string | null;
  /**
   * @minItems 0
   * @maxItems 32
   */
  scopes: string[];
  status: 'active' | 'revoked';
  /**
   * The last four characters of the secret
   */
  last4: string;
  expires_at: string | null;
  created_at: string;
  created_by: NamedActor;
  /**
   * To the minute
   */
  last_used_at: string | null;
  revoked_at: string | null;
}
export interface CreatePanelKeyBody {
  name: string;
  /**
   * @minItems 1
   * @maxItems 11
   */
  scopes: (
    | 'account:read'
    | 'computers:read'
    | 'computers:write'
    | 'printers:read'
    | 'jobs:read'
    | 'jobs:create'
    | 'jobs:cancel'
    | 'jobs:retry'
    | 'webhooks:read'
    | 'webhooks:write'
    | 'evidence:read'
  )[];
  expires_at?: string;
}
export interface PanelKeyWithSecret {
  key_id: string;
  name: string | null;
  /**
   * @minItems 0
   * @maxItems 32
   */
  scopes: string[];
  status: 'active' | 'revoked';
  /**
   * The last four characters of the secret
   */
  last4: string;
  expires_at: string | null;
  created_at: string;
  created_by: NamedActor;
  /**
   * To the minute
   */
  last_used_at: string | null;
  revoked_at: string | null;
  /**
   * A secret, shown this once
   */
  api_key: string;
}
export interface PanelDelivery {
  delivery_id: string;
  webhook_id: string;
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
    | 'printer.updated'
    | 'webhook.test';
  status: 'pending' | 'delivering' | 'retry_scheduled' | 'delivered' | 'dead_letter' | 'cancelled';
  attempt_count: number;
  next_attempt_at: string | null;
  response_status: number | null;
  failure_code:
    | 'HTTP_STATUS'
    | 'TIMEOUT'
    | 'CONNECTION_FAILED'
    | 'TLS_FAILED'
    | 'DNS_FAILED'
    | 'TARGET_REFUSED'
    | 'INTERRUPTED'
    | null;
  created_at: string;
  updated_at: string;
  /**
   * Its description, else its URL
   */
  webhook_name: string | null;
  /**
   * Null for a test
   */
  job_id: string | null;
  job_title: string | null;
}
export interface PanelDeliveries {
  /**
   * Newest first
   *
   * @minItems 0
   * @maxItems 1000
   */
  items: PanelDelivery[];
}
export interface PanelDeliveryDetail {
  delivery_id: string;
  webhook_id: string;
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
    | 'printer.updated'
    | 'webhook.test';
  status: 'pending' | 'delivering' | 'retry_scheduled' | 'delivered' | 'dead_letter' | 'cancelled';
  attempt_count: number;
  next_attempt_at: string | null;
  response_status: number | null;
  failure_code:
    | 'HTTP_STATUS'
    | 'TIMEOUT'
    | 'CONNECTION_FAILED'
    | 'TLS_FAILED'
    | 'DNS_FAILED'
    | 'TARGET_REFUSED'
    | 'INTERRUPTED'
    | null;
  created_at: string;
  updated_at: string;
  /**
   * Its description, else its URL
   */
  webhook_name: string | null;
  /**
   * Null for a test
   */
  job_id: string | null;
  job_title: string | null;
  /**
   * Null if the webhook was deleted
   */
  request: PanelDeliveryRequest | null;
  /**
   * Oldest first
   *
   * @minItems 0
   * @maxItems 1000
   */
  attempts: PanelAttempt[];
}
export interface PanelDeliveryRequest {
  url: string;
  headers: {
    [k: string]: string;
  };
  body: string;
}
export interface PanelAttempt {
  attempt: number;
  trigger: 'schedule' | 'manual';
  actor: NamedActor;
  started_at: string;
  result: 'in_flight' | 'delivered' | 'failed';
  response_status: number | null;
  failure_code:
    | 'HTTP_STATUS'
    | 'TIMEOUT'
    | 'CONNECTION_FAILED'
    | 'TLS_FAILED'
    | 'DNS_FAILED'
    | 'TARGET_REFUSED'
    | 'INTERRUPTED'
    | null;
  duration_ms: number | null;
  /**
   * The first KiB of the answer
   */
  answer: string | null;
}
export interface MemberList {
  /**
   * In the order of their invitations
   *
   * @minItems 0
   * @maxItems 100
   */
  items: MemberResource[];
}
export interface MemberResource {
  member_id: string;
  name: string;
  /**
   * What the person enters to sign in
   */
  sign_in_name: string;
  display_name: string;
  role: 'viewer' | 'developer' | 'owner';
  status: 'active' | 'removed';
  has_password: boolean;
  invited_at: string;
}
export interface InviteMemberBody {
  name: string;
  display_name?: string;
  role: 'viewer' | 'developer' | 'owner';
  ttl?: number;
}
export interface MemberWithLink {
  member_id: string;
  name: string;
  /**
   * What the person enters to sign in
   */
  sign_in_name: string;
  display_name: string;
  role: 'viewer' | 'developer' | 'owner';
  status: 'active' | 'removed';
  has_password: boolean;
  invited_at: string;
  link: PanelLinkResource;
}
export interface PanelLinkResource {
  /**
   * A secret, shown this once
   */
  url: string;
  expires_at: string;
}
export interface MemberLinkBody {
  ttl?: number;
}
export interface MemberRoleBody {
  role: 'viewer' | 'developer' | 'owner';
}
export interface RemoveMemberBody {
  revoke_keys?: boolean;
}
export interface RemovedMember {
  member_id: string;
  name: string;
  /**
   * What the person enters to sign in
   */
  sign_in_name: string;
  display_name: string;
  role: 'viewer' | 'developer' | 'owner';
  status: 'active' | 'removed';
  has_password: boolean;
  invited_at: string;
  /**
   * Keys that the member made and that were active; revoked with `revoke_keys`
   *
   * @minItems 0
   * @maxItems 10000
   */
  keys: KeyOfMember[];
}
export interface KeyOfMember {
  key_id: string;
  name: string | null;
  status: 'active' | 'revoked';
  last4: string;
}
export interface AuditEntry {
  event_id: string;
  recorded_at: string;
  actor: NamedActor;
  /**
   * Type of the stored event
   */
  action: string;
  subject: Subject;
  request_id: string | null;
  /**
   * Where a sign-in came from
   */
  address: string | null;
  user_agent: string | null;
  /**
   * Made the link of a sign-in
   */
  link_by: NamedActor | null;
  /**
   * Failed sign-ins of the hour up to this one; with `sources`, how many they are
   */
  failures: number | null;
  /**
   * Failed sign-ins after the twentieth of an hour, by address; those beyond a thousand in a minute are in `failures` alone
   *
   * @minItems 0
   * @maxItems 100
   */
  sources: FailedSignInSource[] | null;
}
export interface Subject {
  kind:
    | 'account'
    | 'member'
    | 'session'
    | 'api_key'
    | 'enrollment'
    | 'computer'
    | 'printer'
    | 'webhook'
    | 'job'
    | 'stream';
  /**
   * An id; of a stream its name
   */
  id: string;
  /**
   * If it has one: of a job the title
   */
  name: string | null;
}
export interface FailedSignInSource {
  by: 'link' | 'password';
  address: string | null;
  count: number;
  first_at: string;
  last_at: string;
}
export interface EvidenceStatus {
  /**
   * Of the newest checkpoint; null before the first
   */
  checkpoint_at: string | null;
  /**
   * Events of all accounts that the newest checkpoint covers
   */
  events: number;
  /**
   * Logged events that it does not cover yet
   */
  events_behind: number;
  /**
   * The log does not fit the stored events: nothing is signed
   */
  halted: boolean;
}
export interface MemberAlerts {
  /**
   * The service can send mail
   */
  offers_mail: boolean;
  /**
   * @minItems 0
   * @maxItems 8
   */
  kinds: (
    | 'job_in_review'
    | 'job_failed'
    | 'printer_offline'
    | 'printer_behind'
    | 'computer_offline'
    | 'webhook_paused'
    | 'credential_ends'
    | 'plan_nearly_used'
  )[];
  /**
   * @minItems 0
   * @maxItems 3
   */
  channels: AlertChannel[];
  pace: 'at_once' | 'quarter_hour' | 'hour';
  when_over: boolean;
  quiet_hours: AlertQuietHours | null;
  /**
   * Newest first
   *
   * @minItems 0
   * @maxItems 20
   */
  messages: AlertMessage[];
}
export interface AlertChannel {
  channel_id: string;
  type: 'mail' | 'slack' | 'teams';
  /**
   * Mail address, or host of the chat
   */
  to: string;
}
export interface AlertQuietHours {
  from: string;
  until: string;
  time_zone: string;
}
export interface AlertMessage {
  message_id: string;
  started_at: string;
  is_test: boolean;
  /**
   * @minItems 0
   * @maxItems 20
   */
  lines: string[];
  /**
   * Lines that are not shown
   */
  more: number;
  /**
   * @minItems 0
   * @maxItems 3
   */
  sends: AlertSend[];
}
export interface AlertSend {
  channel_id: string;
  status: 'sending' | 'waiting' | 'sent' | 'failed';
  attempts: number;
  /**
   * Of the last failure
   */
  reason: string | null;
  next_attempt_at: string | null;
}
export interface AlertsBody {
  /**
   * @minItems 0
   * @maxItems 8
   */
  kinds: (
    | 'job_in_review'
    | 'job_failed'
    | 'printer_offline'
    | 'printer_behind'
    | 'computer_offline'
    | 'webhook_paused'
    | 'credential_ends'
    | 'plan_nearly_used'
  )[];
  /**
   * @minItems 0
   * @maxItems 3
   */
  channels: AlertChannelBody[];
  pace: 'at_once' | 'quarter_hour' | 'hour';
  when_over: boolean;
  quiet_hours?: AlertQuietHours | null;
}
export interface AlertChannelBody {
  /**
   * Of a channel that stays
   */
  channel_id?: string;
  type: 'mail' | 'slack' | 'teams';
  /**
   * Mail address, or URL of the incoming webhook; absent: unchanged
   */
  to?: string;
}
export interface GetActivityQuery {
  /**
   * The present hour is the last
   */
  hours?: number;
}
export interface SearchJobsQuery {
  /**
   * next_cursor of the page before
   */
  cursor?: string;
  /**
   * Begins the title (in any case), the external id or the job id (from its first 6 characters on)
   */
  q?: string;
  /**
   * `unfinished`: it waits, or is at the Agent or the spooler
   */
  status?:
    | 'created'
    | 'queued'
    | 'leased'
    | 'accepted_by_agent'
    | 'sent_to_spooler'
    | 'spooler_completed'
    | 'failed'
    | 'manual_review'
    | 'cancelled'
    | 'expired'
    | 'unfinished';
  printer_id?: string;
  /**
   * Created at this time or later
   */
  from?: string;
  /**
   * Created before this time
   */
  to?: string;
  limit?: number;
}
export interface SearchJobsData {
  items: PrintJob[];
  has_more: boolean;
  next_cursor: string | null;
}
export interface GetPrinterQueueQuery {
  /**
   * next_cursor of the page before
   */
  cursor?: string;
  limit?: number;
}
export interface ListDeliveriesQuery {
  /**
   * next_cursor of the page before
   */
  cursor?: string;
  limit?: number;
  webhook_id?: string;
  status?: 'pending' | 'delivering' | 'retry_scheduled' | 'delivered' | 'dead_letter' | 'cancelled';
  event_type?:
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
    | 'printer.updated'
    | 'webhook.test';
  /**
   * Created at this time or later
   */
  since?: string;
  /**
   * Created at this time or earlier
   */
  until?: string;
  /**
   * The id of a delivery, event or job, or a part of the title or external id of the job
   */
  q?: string;
}
export interface ListDeliveriesData {
  items: PanelDelivery[];
  has_more: boolean;
  next_cursor: string | null;
}
export interface ListAuditQuery {
  /**
   * next_cursor of the page before
   */
  cursor?: string;
  limit?: number;
}
export interface ListAuditData {
  items: AuditEntry[];
  has_more: boolean;
  next_cursor: string | null;
}

export interface Operations {
  getSession: {
    body: undefined;
    query: undefined;
    data: SessionState;
    codes:
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE';
  };
  signIn: {
    body: SignInBody;
    query: undefined;
    data: SessionState;
    codes:
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SIGN_IN_REFUSED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  signInByLink: {
    body: LinkSignInBody;
    query: undefined;
    data: SessionState;
    codes:
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SIGN_IN_REFUSED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  endSession: {
    body: EndSessionBody;
    query: undefined;
    data: SessionState;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  choosePassword: {
    body: PasswordBody;
    query: undefined;
    data: SessionState;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PASSWORD_REFUSED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SIGN_IN_REFUSED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  dismissLinkNotices: {
    body: undefined;
    query: undefined;
    data: SessionState;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  listSessions: {
    body: undefined;
    query: undefined;
    data: OpenSessions;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE';
  };
  endOneSession: {
    body: undefined;
    query: undefined;
    data: OpenSessions;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SESSION_NOT_FOUND'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  chooseTheme: {
    body: ChosenTheme;
    query: undefined;
    data: ChosenTheme;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  visitAccount: {
    body: undefined;
    query: undefined;
    data: AccountVisit;
    codes:
      | 'ACCOUNT_CLOSED'
      | 'ACCOUNT_NOT_FOUND'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  leaveAccount: {
    body: undefined;
    query: undefined;
    data: AccountVisit;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  getOverview: {
    body: undefined;
    query: undefined;
    data: Overview;
    codes:
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
  getActivity: {
    body: undefined;
    query: GetActivityQuery;
    data: AccountActivity;
    codes:
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
  getJobEvents: {
    body: undefined;
    query: undefined;
    data: PanelEvents;
    codes:
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
  searchJobs: {
    body: undefined;
    query: SearchJobsQuery;
    data: SearchJobsData;
    codes:
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
  previewDocument: {
    body: undefined;
    query: undefined;
    data: DocumentPreview;
    codes:
      | 'CONTENT_NOT_FOUND'
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
  createEnrollment: {
    body: EnrollmentBody;
    query: undefined;
    data: Enrollment;
    codes:
      | 'ACCOUNT_CLOSED'
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
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  disableComputer: {
    body: undefined;
    query: undefined;
    data: Computer;
    codes:
      | 'COMPUTER_NOT_FOUND'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'STATE_CONFLICT'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  enableComputer: {
    body: undefined;
    query: undefined;
    data: Computer;
    codes:
      | 'COMPUTER_NOT_FOUND'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'STATE_CONFLICT'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  revokeComputer: {
    body: undefined;
    query: undefined;
    data: Computer;
    codes:
      | 'COMPUTER_NOT_FOUND'
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
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  renameComputer: {
    body: RenameBody;
    query: undefined;
    data: Computer;
    codes:
      | 'COMPUTER_NOT_FOUND'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'STATE_CONFLICT'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  updatePrinter: {
    body: PrinterChangesBody;
    query: undefined;
    data: Printer;
    codes:
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
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  getPrinterQueue: {
    body: undefined;
    query: GetPrinterQueueQuery;
    data: PrinterQueue;
    codes:
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
  clearPrinterQueue: {
    body: ClearBody;
    query: undefined;
    data: QueueStep;
    codes:
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
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  movePrinterQueue: {
    body: MoveBody;
    query: undefined;
    data: QueueStep;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'PRINTER_NOT_FOUND'
      | 'PRINTER_NOT_READY'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_VIRTUAL_PRINTERS_ONLY'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  listKeys: {
    body: undefined;
    query: undefined;
    data: PanelKeys;
    codes:
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
  createKey: {
    body: CreatePanelKeyBody;
    query: undefined;
    data: PanelKeyWithSecret;
    codes:
      | 'ACCOUNT_CLOSED'
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
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  revokeKey: {
    body: undefined;
    query: undefined;
    data: PanelKey;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'KEY_NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  listDeliveries: {
    body: undefined;
    query: ListDeliveriesQuery;
    data: ListDeliveriesData;
    codes:
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
  getJobDeliveries: {
    body: undefined;
    query: undefined;
    data: PanelDeliveries;
    codes:
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
  getDelivery: {
    body: undefined;
    query: undefined;
    data: PanelDeliveryDetail;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'DELIVERY_NOT_FOUND'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'UNAVAILABLE';
  };
  listMembers: {
    body: undefined;
    query: undefined;
    data: MemberList;
    codes:
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
  inviteMember: {
    body: InviteMemberBody;
    query: undefined;
    data: MemberWithLink;
    codes:
      | 'ACCOUNT_CLOSED'
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'MEMBER_LIMIT_REACHED'
      | 'METHOD_NOT_ALLOWED'
      | 'NAME_TAKEN'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  renewMemberLink: {
    body: MemberLinkBody;
    query: undefined;
    data: MemberWithLink;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'MEMBER_NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  changeMemberRole: {
    body: MemberRoleBody;
    query: undefined;
    data: MemberResource;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'LAST_OWNER'
      | 'MEMBER_NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  removeMember: {
    body: RemoveMemberBody;
    query: undefined;
    data: RemovedMember;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'LAST_OWNER'
      | 'MEMBER_NOT_FOUND'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
  listAudit: {
    body: undefined;
    query: ListAuditQuery;
    data: ListAuditData;
    codes:
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
  getEvidenceStatus: {
    body: undefined;
    query: undefined;
    data: EvidenceStatus;
    codes:
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
  getAlerts: {
    body: undefined;
    query: undefined;
    data: MemberAlerts;
    codes:
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
  chooseAlerts: {
    body: AlertsBody;
    query: undefined;
    data: MemberAlerts;
    codes:
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
  testAlerts: {
    body: undefined;
    query: undefined;
    data: MemberAlerts;
    codes:
      | 'CREDENTIAL_INVALID'
      | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR'
      | 'INVALID_REQUEST'
      | 'METHOD_NOT_ALLOWED'
      | 'PAYLOAD_TOO_LARGE'
      | 'RATE_LIMIT_EXCEEDED'
      | 'REQUEST_TIMEOUT'
      | 'SCOPE_REQUIRED'
      | 'STATE_CONFLICT'
      | 'UNAVAILABLE'
      | 'UNSUPPORTED_MEDIA_TYPE';
  };
}

export const operations = {
  getSession: { method: 'GET', path: '/panel/session', scopes: [], keyed: false },
  signIn: { method: 'POST', path: '/panel/session', scopes: [], keyed: false },
  signInByLink: { method: 'POST', path: '/panel/session/link', scopes: [], keyed: false },
  endSession: { method: 'POST', path: '/panel/session/end', scopes: [], keyed: false },
  choosePassword: { method: 'POST', path: '/panel/password', scopes: [], keyed: false },
  dismissLinkNotices: { method: 'POST', path: '/panel/session/dismiss-notices', scopes: [], keyed: false },
  listSessions: { method: 'GET', path: '/panel/sessions', scopes: [], keyed: false },
  endOneSession: { method: 'POST', path: '/panel/sessions/{session_id}/end', scopes: [], keyed: false },
  chooseTheme: { method: 'PUT', path: '/panel/session/theme', scopes: [], keyed: false },
  visitAccount: { method: 'POST', path: '/panel/accounts/{account_id}/visit', scopes: [], keyed: false },
  leaveAccount: { method: 'POST', path: '/panel/session/leave-account', scopes: [], keyed: false },
  getOverview: { method: 'GET', path: '/panel/overview', scopes: ['jobs:read'], keyed: false },
  getActivity: { method: 'GET', path: '/panel/activity', scopes: ['jobs:read'], keyed: false },
  getJobEvents: { method: 'GET', path: '/panel/jobs/{job_id}/events', scopes: ['jobs:read'], keyed: false },
  searchJobs: { method: 'GET', path: '/panel/jobs', scopes: ['jobs:read'], keyed: false },
  previewDocument: {
    method: 'GET',
    path: '/panel/jobs/{job_id}/preview',
    scopes: ['jobs:read', 'panel:documents'],
    keyed: false,
  },
  createEnrollment: { method: 'POST', path: '/panel/enrollments', scopes: ['computers:write'], keyed: false },
  disableComputer: {
    method: 'POST',
    path: '/panel/computers/{computer_id}/disable',
    scopes: ['computers:write'],
    keyed: false,
  },
  enableComputer: {
    method: 'POST',
    path: '/panel/computers/{computer_id}/enable',
    scopes: ['computers:write'],
    keyed: false,
  },
  revokeComputer: {
    method: 'POST',
    path: '/panel/computers/{computer_id}/revoke',
    scopes: ['computers:write'],
    keyed: false,
  },
  renameComputer: {
    method: 'PATCH',
    path: '/panel/computers/{computer_id}',
    scopes: ['computers:write'],
    keyed: false,
  },
  updatePrinter: {
    method: 'PATCH',
    path: '/panel/printers/{printer_id}',
    scopes: ['panel:printers'],
    keyed: false,
  },
  getPrinterQueue: {
    method: 'GET',
    path: '/panel/printers/{printer_id}/queue',
    scopes: ['printers:read', 'jobs:read'],
    keyed: false,
  },
  clearPrinterQueue: {
    method: 'POST',
    path: '/panel/printers/{printer_id}/clear',
    scopes: ['jobs:cancel'],
    keyed: false,
  },
  movePrinterQueue: {
    method: 'POST',
    path: '/panel/printers/{printer_id}/move',
    scopes: ['jobs:cancel', 'jobs:create'],
    keyed: false,
  },
  listKeys: { method: 'GET', path: '/panel/keys', scopes: ['panel:keys'], keyed: false },
  createKey: { method: 'POST', path: '/panel/keys', scopes: ['panel:keys'], keyed: false },
  revokeKey: { method: 'POST', path: '/panel/keys/{key_id}/revoke', scopes: ['panel:keys'], keyed: false },
  listDeliveries: { method: 'GET', path: '/panel/deliveries', scopes: ['webhooks:read'], keyed: false },
  getJobDeliveries: {
    method: 'GET',
    path: '/panel/jobs/{job_id}/deliveries',
    scopes: ['webhooks:read'],
    keyed: false,
  },
  getDelivery: {
    method: 'GET',
    path: '/panel/deliveries/{delivery_id}',
    scopes: ['webhooks:read'],
    keyed: false,
  },
  listMembers: { method: 'GET', path: '/panel/members', scopes: ['account:read'], keyed: false },
  inviteMember: { method: 'POST', path: '/panel/members', scopes: ['panel:members'], keyed: false },
  renewMemberLink: {
    method: 'POST',
    path: '/panel/members/{member_id}/link',
    scopes: ['panel:members'],
    keyed: false,
  },
  changeMemberRole: {
    method: 'POST',
    path: '/panel/members/{member_id}/role',
    scopes: ['panel:members'],
    keyed: false,
  },
  removeMember: {
    method: 'POST',
    path: '/panel/members/{member_id}/remove',
    scopes: ['panel:members'],
    keyed: false,
  },
  listAudit: { method: 'GET', path: '/panel/audit', scopes: ['account:read'], keyed: false },
  getEvidenceStatus: { method: 'GET', path: '/panel/evidence', scopes: ['evidence:read'], keyed: false },
  getAlerts: { method: 'GET', path: '/panel/alerts', scopes: ['jobs:read'], keyed: false },
  chooseAlerts: { method: 'PUT', path: '/panel/alerts', scopes: ['jobs:read'], keyed: false },
  testAlerts: { method: 'POST', path: '/panel/alerts/test', scopes: ['jobs:read'], keyed: false },
} as const;
