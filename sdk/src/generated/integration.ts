// Written by `npm run types` from the OpenAPI documents of the service. Do not edit.
export interface Account {
  contract: 'svc_api_account_v1';
  account_id: string;
  name: string;
  slug: string;
  status: 'active' | 'suspended' | 'closed';
  environment_enabled: boolean;
  virtual_printers_only: boolean;
  created_at: string;
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
export interface CreatePrintJobBody {
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
export interface PrintJobDetail {
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
  history_contract: 'svc_job_history_v1';
  /**
   * The newest events, oldest first
   *
   * @minItems 0
   * @maxItems 1000
   */
  history: JobHistoryEvent[];
  /**
   * Present when older events were left out
   */
  history_truncated?: true;
}
export interface JobHistoryEvent {
  event_id: string;
  event_type: string;
  previous_status?:
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
  new_status?:
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
  outcome: 'ok' | 'failed' | 'scheduled' | 'ambiguous' | 'cancelled' | 'expired' | 'recorded';
  created_at: string;
  details?: {
    reason?: string;
    failure_code?: string;
    failure_class?: string;
    retry_delay_seconds?: number;
    spooler_provider?: string;
    receipt?: {
      applied: {
        paper?: string;
        tray?: string;
        duplex?: 'one-sided' | 'long-edge' | 'short-edge';
        color?: boolean;
        scale?: 'actual' | 'fit' | 'shrink';
        resolution_dpi?: number;
        page_count?: number;
        sheet_mm?: number[];
        drawn_percent?: number;
      };
      ignored: {
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
      }[];
    };
    reprint_job_id?: string;
    from_printer_id?: string;
    to_printer_id?: string;
    physical_print_confirmed?: false;
  };
}
export interface ReasonBody {
  reason?: string;
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
export interface PrintJobResults {
  /**
   * @minItems 0
   * @maxItems 100
   */
  results: PrintJobResult[];
}
export interface PrintJobResult {
  /**
   * That of a single create with this job
   */
  status: number;
  code: string;
  message?: string;
  data?: PrintJob;
}
export interface JobExplanation {
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
  /**
   * The cause first
   *
   * @minItems 0
   * @maxItems 20
   */
  evidence: Evidence[];
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
export interface Evidence {
  event_id: string;
  at: string;
  text: string;
}
export interface ReprintBody {
  /**
   * Another printer than that of the job
   */
  printer_id?: string;
}
export interface ListWebhooksBody {
  limit?: number;
  webhook_id?: string;
  status?: 'pending' | 'delivering' | 'retry_scheduled' | 'delivered' | 'dead_letter' | 'cancelled';
}
export interface WebhookList {
  /**
   * Active and paused ones, newest first
   *
   * @minItems 0
   * @maxItems 20
   */
  webhooks: Webhook[];
  /**
   * Newest first
   *
   * @minItems 0
   * @maxItems 50
   */
  deliveries: WebhookDelivery[];
  /**
   * All event types that a webhook can receive
   *
   * @minItems 0
   * @maxItems 100
   */
  event_types: WebhookEventType[];
}
export interface Webhook {
  contract: 'svc_webhook_v1';
  webhook_id: string;
  url: string;
  description?: string;
  /**
   * @minItems 1
   * @maxItems 23
   */
  event_types: (
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
    | 'webhook.test'
  )[];
  status: 'active' | 'paused' | 'deleted';
  secret_version: number;
  created_at: string;
  updated_at: string;
  paused_reason?: 'requested' | 'endpoint_gone' | 'backlog_full' | 'failing';
  paused_at?: string;
  last_success_at?: string;
  last_failure_at?: string;
  ordered?: boolean;
  health?: 'healthy' | 'failing' | 'paused';
  failing_since?: string;
  recovery?: WebhookRecovery;
}
export interface WebhookRecovery {
  recovery_id: string;
  status: 'running' | 'finished';
  since: string;
  until: string;
  /**
   * Missed events when it began, if they were counted
   */
  events?: number;
  /**
   * Deliveries made or queued again; after each crash up to 1,000 fewer
   */
  recovered: number;
  started_at: string;
  finished_at?: string;
}
export interface WebhookDelivery {
  contract: 'svc_webhook_delivery_v1';
  delivery_id: string;
  webhook_id: string;
  /**
   * What receivers de-duplicate by
   */
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
  /**
   * Interrupted ones and those by hand included
   */
  attempt_count: number;
  max_attempts: number;
  next_attempt_at?: string;
  last_attempt_at?: string;
  response_status?: number;
  failure_code?:
    | 'HTTP_STATUS'
    | 'TIMEOUT'
    | 'CONNECTION_FAILED'
    | 'TLS_FAILED'
    | 'DNS_FAILED'
    | 'TARGET_REFUSED'
    | 'INTERRUPTED';
  duration_ms?: number;
  created_at: string;
  updated_at: string;
  delivered_at?: string;
  /**
   * Ended ones, oldest first
   *
   * @minItems 0
   * @maxItems 50
   */
  attempts: WebhookAttempt[];
}
export interface WebhookAttempt {
  attempted_at: string;
  response_status?: number;
  failure_code?:
    | 'HTTP_STATUS'
    | 'TIMEOUT'
    | 'CONNECTION_FAILED'
    | 'TLS_FAILED'
    | 'DNS_FAILED'
    | 'TARGET_REFUSED'
    | 'INTERRUPTED';
  duration_ms: number;
}
export interface WebhookEventType {
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
  description: string;
  /**
   * JSON Schema 2020-12 of the body
   */
  schema: {};
  example: {};
}
export interface CreateWebhookBody {
  /**
   * https on port 443, a public address or a name whose every address is public; the operator may allow other networks and names, on any port
   */
  url: string;
  /**
   * Default: all
   *
   * @minItems 1
   * @maxItems 100
   */
  event_types?: (
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
    | 'webhook.test'
  )[];
  description?: string;
  /**
   * One delivery of a job or computer at a time, in the order of its events
   */
  ordered?: boolean;
}
export interface WebhookSecretAnswer {
  webhook: Webhook;
  /**
   * `whsec_live_…`: its UTF-8 bytes are the key of X-Svc-Signature
   */
  secret: string;
  /**
   * The same key as the Standard Webhooks libraries take it
   */
  standard_webhooks_secret: string;
}
export interface UpdateWebhookBody {
  webhook_id: string;
  /**
   * https on port 443, a public address or a name whose every address is public; the operator may allow other networks and names, on any port
   */
  url?: string;
  /**
   * @minItems 1
   * @maxItems 100
   */
  event_types?: (
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
    | 'webhook.test'
  )[];
  description?: string;
  status?: 'active' | 'paused';
  /**
   * With status active: delivers what happened while the webhook was paused
   */
  recover?: boolean;
  /**
   * One delivery of a job or computer at a time, in the order of its events
   */
  ordered?: boolean;
  /**
   * The secret before signs too for 24 hours
   */
  rotate_secret?: boolean;
}
export interface UpdatedWebhookAnswer {
  webhook: Webhook;
  secret?: string;
  standard_webhooks_secret?: string;
}
export interface WebhookIdBody {
  webhook_id: string;
}
export interface WebhookAnswer {
  webhook: Webhook;
}
export interface DeliveryAnswer {
  delivery: WebhookDelivery;
}
export interface DeliveryIdBody {
  delivery_id: string;
}
export interface ListWebhookDeliveriesBody {
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
  event_id?: string;
  job_id?: string;
  failure_code?:
    | 'HTTP_STATUS'
    | 'TIMEOUT'
    | 'CONNECTION_FAILED'
    | 'TLS_FAILED'
    | 'DNS_FAILED'
    | 'TARGET_REFUSED'
    | 'INTERRUPTED';
  /**
   * Created at this time or later
   */
  since?: string;
  /**
   * Created at this time or earlier
   */
  until?: string;
}
export interface RecoverWebhookBody {
  webhook_id: string;
  /**
   * Time of the first event: an RFC 3339 date-time, or a cursor of listChanges for the time of its event
   */
  since: string;
  /**
   * Time of the last event; default: now
   */
  until?: string;
  /**
   * Some of those of the webhook; default: all of them
   *
   * @minItems 1
   * @maxItems 100
   */
  event_types?: (
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
    | 'webhook.test'
  )[];
  /**
   * Counts only
   */
  dry_run?: boolean;
  /**
   * Sends delivered events again
   */
  include_delivered?: boolean;
}
export interface RecoveryAnswer {
  /**
   * Absent with dry_run
   */
  recovery_id?: string;
  /**
   * Missed events; absent if they could not be counted in ten seconds
   */
  events?: number;
}
export interface ChangesPage {
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
  items: Change[];
}
export interface Change {
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
  data: ChangedResource;
}
export interface ChangedResource {
  job?: PrintJob;
  computer?: Computer;
  printer?: Printer;
}
export interface ListComputersQuery {
  limit?: number;
  offset?: number;
  status?: 'pending' | 'online' | 'offline' | 'disabled' | 'revoked';
}
export interface ListComputersData {
  items: Computer[];
  count: number;
  total: number;
  limit: number;
  offset: number;
}
export interface ListPrintersQuery {
  limit?: number;
  offset?: number;
  computer_id?: string;
  status?: 'online' | 'offline' | 'disabled' | 'removed';
}
export interface ListPrintersData {
  items: Printer[];
  count: number;
  total: number;
  limit: number;
  offset: number;
}
export interface ListPrintJobsQuery {
  limit?: number;
  offset?: number;
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
    | 'expired';
  printer_id?: string;
  external_id?: string;
}
export interface ListPrintJobsData {
  items: PrintJob[];
  count: number;
  total: number;
  limit: number;
  offset: number;
}
export interface GetPrintJobQuery {
  /**
   * The job as it was at this moment; a later one is now
   */
  at?: string;
}
export interface ListWebhookDeliveriesData {
  items: WebhookDelivery[];
  has_more: boolean;
  next_cursor: string | null;
}
export interface ListChangesQuery {
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
  getAccount: {
    body: undefined;
    query: undefined;
    data: Account;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_VALIDATION_FAILED';
  };
  listComputers: {
    body: undefined;
    query: ListComputersQuery;
    data: ListComputersData;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_VALIDATION_FAILED';
  };
  listPrinters: {
    body: undefined;
    query: ListPrintersQuery;
    data: ListPrintersData;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_COMPUTER_NOT_FOUND'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_VALIDATION_FAILED';
  };
  testPrinter: {
    body: undefined;
    query: undefined;
    data: PrintJob;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_CONTENT_TOO_LARGE'
      | 'SVC_CONTENT_TYPE_NOT_SUPPORTED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PLAN_LIMIT_REACHED'
      | 'SVC_PRINTER_NOT_FOUND'
      | 'SVC_PRINTER_NOT_READY'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED'
      | 'SVC_VIRTUAL_PRINTERS_ONLY';
  };
  createPrintJob: {
    body: CreatePrintJobBody;
    query: undefined;
    data: PrintJob;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_AGENT_TOO_OLD'
      | 'SVC_CONTENT_TOO_LARGE'
      | 'SVC_CONTENT_TYPE_NOT_SUPPORTED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_JOB_IDEMPOTENCY_CONFLICT'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_OPTION_NOT_SUPPORTED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PLAN_LIMIT_REACHED'
      | 'SVC_PRINTER_NOT_FOUND'
      | 'SVC_PRINTER_NOT_READY'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED'
      | 'SVC_VIRTUAL_PRINTERS_ONLY';
  };
  listPrintJobs: {
    body: undefined;
    query: ListPrintJobsQuery;
    data: ListPrintJobsData;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PRINTER_NOT_FOUND'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_VALIDATION_FAILED';
  };
  getPrintJob: {
    body: undefined;
    query: GetPrintJobQuery;
    data: PrintJobDetail;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_JOB_NOT_FOUND'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_VALIDATION_FAILED';
  };
  cancelPrintJob: {
    body: ReasonBody;
    query: undefined;
    data: PrintJob;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_JOB_NOT_FOUND'
      | 'SVC_JOB_STATE_CONFLICT'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED';
  };
  retryPrintJob: {
    body: ReasonBody;
    query: undefined;
    data: PrintJob;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_JOB_IDEMPOTENCY_CONFLICT'
      | 'SVC_JOB_NOT_FOUND'
      | 'SVC_JOB_RETRY_DUPLICATION_RISK'
      | 'SVC_JOB_STATE_CONFLICT'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED';
  };
  createPrintJobs: {
    body: JobsBody;
    query: undefined;
    data: PrintJobResults;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_CONTENT_TOO_LARGE'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED';
  };
  explainPrintJob: {
    body: undefined;
    query: undefined;
    data: JobExplanation;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_JOB_NOT_FOUND'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_VALIDATION_FAILED';
  };
  reprintPrintJob: {
    body: ReprintBody;
    query: undefined;
    data: PrintJob;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_AGENT_TOO_OLD'
      | 'SVC_CONTENT_NOT_KEPT'
      | 'SVC_CONTENT_TOO_LARGE'
      | 'SVC_CONTENT_TYPE_NOT_SUPPORTED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_JOB_IDEMPOTENCY_CONFLICT'
      | 'SVC_JOB_NOT_FOUND'
      | 'SVC_JOB_STATE_CONFLICT'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_OPTION_NOT_SUPPORTED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PLAN_LIMIT_REACHED'
      | 'SVC_PRINTER_NOT_FOUND'
      | 'SVC_PRINTER_NOT_READY'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED'
      | 'SVC_VIRTUAL_PRINTERS_ONLY';
  };
  listWebhooks: {
    body: ListWebhooksBody;
    query: undefined;
    data: WebhookList;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED';
  };
  createWebhook: {
    body: CreateWebhookBody;
    query: undefined;
    data: WebhookSecretAnswer;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED'
      | 'SVC_WEBHOOK_DUPLICATE'
      | 'SVC_WEBHOOK_LIMIT_REACHED';
  };
  updateWebhook: {
    body: UpdateWebhookBody;
    query: undefined;
    data: UpdatedWebhookAnswer;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_RECOVERY_RUNNING'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED'
      | 'SVC_WEBHOOK_DUPLICATE'
      | 'SVC_WEBHOOK_NOT_FOUND';
  };
  deleteWebhook: {
    body: WebhookIdBody;
    query: undefined;
    data: WebhookAnswer;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED'
      | 'SVC_WEBHOOK_NOT_FOUND';
  };
  testWebhook: {
    body: WebhookIdBody;
    query: undefined;
    data: DeliveryAnswer;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED'
      | 'SVC_WEBHOOK_NOT_FOUND'
      | 'SVC_WEBHOOK_PAUSED';
  };
  retryWebhookDelivery: {
    body: DeliveryIdBody;
    query: undefined;
    data: DeliveryAnswer;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_DELIVERY_NOT_FOUND'
      | 'SVC_DELIVERY_STATE_CONFLICT'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED'
      | 'SVC_WEBHOOK_NOT_FOUND'
      | 'SVC_WEBHOOK_PAUSED';
  };
  listWebhookDeliveries: {
    body: ListWebhookDeliveriesBody;
    query: undefined;
    data: ListWebhookDeliveriesData;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED';
  };
  recoverWebhook: {
    body: RecoverWebhookBody;
    query: undefined;
    data: RecoveryAnswer;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_HISTORY_CHANGED'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PAYLOAD_TOO_LARGE'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_RECOVERY_RUNNING'
      | 'SVC_RECOVERY_TOO_LARGE'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_UNSUPPORTED_MEDIA_TYPE'
      | 'SVC_VALIDATION_FAILED'
      | 'SVC_WEBHOOK_NOT_FOUND'
      | 'SVC_WEBHOOK_PAUSED';
  };
  listChanges: {
    body: undefined;
    query: ListChangesQuery;
    data: ChangesPage;
    codes:
      | 'API_KEY_INVALID'
      | 'API_KEY_SCOPE_INSUFFICIENT'
      | 'RATE_LIMIT_EXCEEDED'
      | 'SVC_ACCOUNT_SUSPENDED'
      | 'SVC_HEADERS_TOO_LARGE'
      | 'SVC_HISTORY_CHANGED'
      | 'SVC_INTERNAL_ERROR'
      | 'SVC_METHOD_NOT_ALLOWED'
      | 'SVC_PUBLIC_API_DISABLED'
      | 'SVC_REQUEST_TIMEOUT'
      | 'SVC_UNAVAILABLE'
      | 'SVC_VALIDATION_FAILED';
  };
}

export const operations = {
  getAccount: { method: 'GET', path: '/svc-api-account', scopes: ['account:read'], keyed: false },
  listComputers: { method: 'GET', path: '/svc-api-computers', scopes: ['computers:read'], keyed: false },
  listPrinters: { method: 'GET', path: '/svc-api-printers', scopes: ['printers:read'], keyed: false },
  testPrinter: {
    method: 'POST',
    path: '/svc-api-printers/{printer_id}/test',
    scopes: ['printers:read', 'jobs:create'],
    keyed: false,
  },
  createPrintJob: { method: 'POST', path: '/svc-api-print-jobs', scopes: ['jobs:create'], keyed: true },
  listPrintJobs: { method: 'GET', path: '/svc-api-print-jobs', scopes: ['jobs:read'], keyed: false },
  getPrintJob: { method: 'GET', path: '/svc-api-print-jobs/{job_id}', scopes: ['jobs:read'], keyed: false },
  cancelPrintJob: {
    method: 'POST',
    path: '/svc-api-print-jobs/{job_id}/cancel',
    scopes: ['jobs:cancel'],
    keyed: false,
  },
  retryPrintJob: {
    method: 'POST',
    path: '/svc-api-print-jobs/{job_id}/retry',
    scopes: ['jobs:retry'],
    keyed: true,
  },
  createPrintJobs: {
    method: 'POST',
    path: '/svc-api-print-jobs/batch',
    scopes: ['jobs:create'],
    keyed: false,
  },
  explainPrintJob: {
    method: 'GET',
    path: '/svc-api-print-jobs/{job_id}/explanation',
    scopes: ['jobs:read'],
    keyed: false,
  },
  reprintPrintJob: {
    method: 'POST',
    path: '/svc-api-print-jobs/{job_id}/reprint',
    scopes: ['jobs:create'],
    keyed: true,
  },
  listWebhooks: { method: 'POST', path: '/svc-list-webhooks', scopes: ['webhooks:read'], keyed: false },
  createWebhook: { method: 'POST', path: '/svc-create-webhook', scopes: ['webhooks:write'], keyed: false },
  updateWebhook: { method: 'POST', path: '/svc-update-webhook', scopes: ['webhooks:write'], keyed: false },
  deleteWebhook: { method: 'POST', path: '/svc-delete-webhook', scopes: ['webhooks:write'], keyed: false },
  testWebhook: { method: 'POST', path: '/svc-test-webhook', scopes: ['webhooks:write'], keyed: false },
  retryWebhookDelivery: {
    method: 'POST',
    path: '/svc-retry-webhook',
    scopes: ['webhooks:write'],
    keyed: false,
  },
  listWebhookDeliveries: {
    method: 'POST',
    path: '/svc-list-webhook-deliveries',
    scopes: ['webhooks:read'],
    keyed: false,
  },
  recoverWebhook: { method: 'POST', path: '/svc-recover-webhook', scopes: ['webhooks:write'], keyed: false },
  listChanges: { method: 'GET', path: '/svc-api-changes', scopes: [], keyed: false },
} as const;
