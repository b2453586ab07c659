// Written by `npm run types` from the OpenAPI documents of the service. Do not edit.
export interface EventJob {
  contract: 'svc_job_v1';
  environment: 'live';
  job_id: string;
  printer_id: string;
  content_type: 'pdf' | 'raw' | 'text';
  content_hash: string;
  content_size_bytes: number;
  copies: number;
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
  attempt_count: number;
  retry_count: number;
  max_auto_retries: number;
  retry_state: 'none' | 'scheduled' | 'submitted' | 'completed' | 'exhausted' | 'manual_review';
  created_at: string;
  updated_at: string;
  expires_at: string;
  duration_ms: number;
  is_final: boolean;
  can_cancel: boolean;
  can_retry: boolean;
  printer_code?: string;
  printer_name?: string;
  computer_name?: string;
  external_id?: string;
  title?: string;
  options?: {
    tray?: string;
    duplex?: 'one-sided' | 'long-edge' | 'short-edge';
    color?: boolean;
    scale?: 'actual' | 'fit' | 'shrink';
    orientation?: 'portrait' | 'landscape';
    rotate?: 0 | 90 | 180 | 270;
    pages?: string;
    collate?: boolean;
    resolution_dpi?: number;
    unsupported?: 'refuse' | 'ignore';
    paper?: string | {};
  };
  reprint_of?: string;
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
  cancelled_at?: string;
  cancellation_reason?: string;
  completed_at?: string;
}
/**
 * A job was accepted and its document stored.
 */
export interface JobCreatedEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'job.created';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    job: EventJob;
  };
}
/**
 * A job waits for its printer: it is new, was released by an Agent, was moved, or is retried.
 */
export interface JobQueuedEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'job.queued';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    job: EventJob;
  };
}
/**
 * An Agent leased the job.
 */
export interface JobLeasedEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'job.leased';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    job: EventJob;
  };
}
/**
 * The Agent holds the verified document.
 */
export interface JobAcceptedByAgentEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'job.accepted_by_agent';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    job: EventJob;
  };
}
/**
 * The spooler of the computer has the document.
 */
export interface JobSentToSpoolerEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'job.sent_to_spooler';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    job: EventJob;
  };
}
/**
 * The spooler is done. This does not prove that paper came out.
 */
export interface JobSpoolerCompletedEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'job.spooler_completed';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    job: EventJob;
  };
}
/**
 * The job was certainly not printed; retry_state shows whether a retry follows.
 */
export interface JobFailedEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'job.failed';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    job: EventJob;
  };
}
/**
 * The job may have been printed and waits for a manual decision.
 */
export interface JobManualReviewEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'job.manual_review';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    job: EventJob;
  };
}
/**
 * The job was cancelled before it was printed.
 */
export interface JobCancelledEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'job.cancelled';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    job: EventJob;
  };
}
/**
 * The job expired before it was printed.
 */
export interface JobExpiredEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'job.expired';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    job: EventJob;
  };
}
export interface EventComputer {
  contract: 'svc_device_v1';
  computer_id: string;
  friendly_code: string;
  name: string;
  status: 'pending' | 'online' | 'offline' | 'disabled' | 'revoked';
  created_at: string;
  updated_at: string;
  hostname?: string;
  operating_system?: string;
  agent_version?: string;
  installer_version?: string;
}
/**
 * A computer was enrolled for the first time.
 */
export interface ComputerRegisteredEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'computer.registered';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    computer: EventComputer;
  };
}
/**
 * A computer was enrolled again, or enabled before its first session.
 */
export interface ComputerPendingEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'computer.pending';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    computer: EventComputer;
  };
}
/**
 * The Agent of the computer is calling.
 */
export interface ComputerOnlineEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'computer.online';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    computer: EventComputer;
  };
}
/**
 * The Agent of the computer has stopped calling, or was silent when the computer was enabled.
 */
export interface ComputerOfflineEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'computer.offline';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    computer: EventComputer;
  };
}
/**
 * The computer was disabled by the operator.
 */
export interface ComputerDisabledEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'computer.disabled';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    computer: EventComputer;
  };
}
/**
 * The computer was deactivated; it needs a new enrolment.
 */
export interface ComputerRevokedEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'computer.revoked';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    computer: EventComputer;
  };
}
export interface EventPrinter {
  contract: 'svc_printer_v1';
  printer_id: string;
  printer_code: string;
  computer_id: string;
  computer_name: string;
  name: string;
  driver: string | null;
  port: string | null;
  is_default: boolean;
  is_virtual: boolean;
  enabled: boolean;
  status: 'online' | 'offline' | 'disabled' | 'removed';
  updated_at: string;
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
  capabilities?: {
    content_types: ('pdf' | 'raw' | 'text')[];
    color: boolean | null;
    duplex: boolean | null;
    papers: string[];
    trays?: string[];
    resolutions_dpi?: number[];
    margins_mm?: {
      top: number;
      right: number;
      bottom: number;
      left: number;
    };
    options?: string[];
  };
}
/**
 * A new printer was found on a computer.
 */
export interface PrinterDetectedEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'printer.detected';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    printer: EventPrinter;
  };
}
/**
 * The printer accepts jobs.
 */
export interface PrinterOnlineEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'printer.online';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    printer: EventPrinter;
  };
}
/**
 * The printer, or its computer, is offline.
 */
export interface PrinterOfflineEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'printer.offline';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    printer: EventPrinter;
  };
}
/**
 * The printer was removed from its computer.
 */
export interface PrinterRemovedEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'printer.removed';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    printer: EventPrinter;
  };
}
/**
 * The printer accepts no jobs, because it or its computer was disabled.
 */
export interface PrinterDisabledEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'printer.disabled';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    printer: EventPrinter;
  };
}
/**
 * Name, driver, port, default, capabilities or enabled changed.
 */
export interface PrinterUpdatedEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'printer.updated';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    printer: EventPrinter;
  };
}
export interface EventWebhook {
  contract: 'svc_webhook_v1';
  webhook_id: string;
  url: string;
  /**
   * @minItems 1
   */
  event_types: string[];
  status: 'active' | 'paused';
  secret_version: number;
  created_at: string;
  updated_at: string;
  description?: string;
  paused_reason?: 'requested' | 'endpoint_gone' | 'backlog_full' | 'failing';
}
/**
 * A test requested by a client.
 */
export interface WebhookTestEvent {
  contract: 'svc_webhook_event_v1';
  event_id: string;
  event_type: 'webhook.test';
  created_at: string;
  sequence: number;
  account_id: string;
  environment: 'live';
  data: {
    webhook: EventWebhook;
  };
}

export type WebhookEvent =
  | JobCreatedEvent
  | JobQueuedEvent
  | JobLeasedEvent
  | JobAcceptedByAgentEvent
  | JobSentToSpoolerEvent
  | JobSpoolerCompletedEvent
  | JobFailedEvent
  | JobManualReviewEvent
  | JobCancelledEvent
  | JobExpiredEvent
  | ComputerRegisteredEvent
  | ComputerPendingEvent
  | ComputerOnlineEvent
  | ComputerOfflineEvent
  | ComputerDisabledEvent
  | ComputerRevokedEvent
  | PrinterDetectedEvent
  | PrinterOnlineEvent
  | PrinterOfflineEvent
  | PrinterRemovedEvent
  | PrinterDisabledEvent
  | PrinterUpdatedEvent
  | WebhookTestEvent;
