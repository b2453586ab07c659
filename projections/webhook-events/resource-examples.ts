import type { ComputerResource } from '../computers/computer-resource.js';
import type { JobResource } from '../job-view/job-resource.js';
import type { PrinterResource } from '../printers/printer-resource.js';
import type { WebhookResource } from '../webhook-endpoints/webhook-resource.js';

const at = (time: string) => `2026-11-21T12:${time}Z`;

export const exampleIds = {
  account: '019aa000-0000-7000-8000-0000000000a1',
  event: '019aa000-0000-7000-8000-0000000000e5',
};

const waiting: JobResource = {
  contract: 'svc_job_v1',
  environment: 'live',
  job_id: '019aa000-0000-7000-8000-0000000000d1',
  printer_id: '019aa000-0000-7000-8000-0000000000b1',
  printer_code: 'PR-1A2B3C4D',
  printer_name: 'Label printer',
  computer_name: 'WAREHOUSE-1',
  external_id: 'order-1042',
  title: 'Label for order 1042',
  content_type: 'pdf',
  content_hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  content_size_bytes: 48_213,
  copies: 1,
  status: 'queued',
  attempt_count: 0,
  retry_count: 0,
  max_auto_retries: 3,
  retry_state: 'none',
  created_at: at('00:00.000'),
  updated_at: at('00:00.000'),
  expires_at: '2026-11-22T12:00:00.000Z',
  duration_ms: 0,
  is_final: false,
  can_cancel: true,
  can_retry: false,
};
const leased: JobResource = {
  ...waiting,
  status: 'leased',
  attempt_count: 1,
  last_attempt_at: at('00:01.250'),
  updated_at: at('00:01.250'),
  duration_ms: 1250,
};
const accepted: JobResource = {
  ...leased,
  status: 'accepted_by_agent',
  updated_at: at('00:01.900'),
  duration_ms: 1900,
  can_cancel: false,
};
const spooled: JobResource = {
  ...accepted,
  status: 'sent_to_spooler',
  spooler_provider: 'windows',
  spooler_job_id: '17',
  spooler_submitted_at: at('00:02.400'),
  updated_at: at('00:02.400'),
  duration_ms: 2400,
};

/** By the word after `job.`. */
export const jobExamples = {
  created: { ...waiting, status: 'created' },
  queued: waiting,
  leased,
  accepted_by_agent: accepted,
  sent_to_spooler: spooled,
  spooler_completed: {
    ...spooled,
    status: 'spooler_completed',
    spooler_completed_at: at('00:06.000'),
    completed_at: at('00:06.000'),
    updated_at: at('00:06.000'),
    duration_ms: 6000,
    is_final: true,
  },
  failed: {
    ...accepted,
    status: 'failed',
    failure_code: 'AGENT_LOST_BEFORE_HANDOFF',
    failure_class: 'temporary',
    retry_state: 'scheduled',
    last_failure_at: at('02:01.900'),
    next_attempt_at: at('02:16.900'),
    updated_at: at('02:01.900'),
    duration_ms: 121_900,
    can_retry: true,
  },
  manual_review: {
    ...spooled,
    status: 'manual_review',
    failure_code: 'SPOOLER_VANISHED',
    failure_class: 'ambiguous',
    retry_state: 'manual_review',
    last_failure_at: at('05:00.000'),
    manual_review_at: at('05:00.000'),
    updated_at: at('05:00.000'),
    expires_at: '2026-11-24T12:05:00.000Z',
    duration_ms: 300_000,
    can_retry: true,
  },
  cancelled: {
    ...waiting,
    status: 'cancelled',
    cancelled_at: at('00:30.000'),
    cancellation_reason: 'ordered twice',
    updated_at: at('00:30.000'),
    duration_ms: 30_000,
    is_final: true,
    can_cancel: false,
  },
  expired: {
    ...waiting,
    status: 'expired',
    updated_at: '2026-11-22T12:00:00.000Z',
    duration_ms: 86_400_000,
    is_final: true,
    can_cancel: false,
  },
} satisfies Record<string, JobResource>;

export const computerExample: Omit<ComputerResource, 'last_seen_at'> = {
  contract: 'svc_device_v1',
  computer_id: '019aa000-0000-7000-8000-0000000000c1',
  friendly_code: 'PC-5E6F7A8B',
  name: 'WAREHOUSE-1',
  hostname: 'WAREHOUSE-1',
  operating_system: 'Windows 11 Pro 24H2',
  agent_version: '2.0.59',
  status: 'online',
  created_at: at('00:00.000'),
  updated_at: at('00:00.000'),
};

export const printerExample: Omit<PrinterResource, 'last_seen_at'> = {
  contract: 'svc_printer_v1',
  printer_id: waiting.printer_id,
  printer_code: 'PR-1A2B3C4D',
  computer_id: computerExample.computer_id,
  computer_name: 'WAREHOUSE-1',
  name: 'Label printer',
  driver: 'ZDesigner ZD421',
  port: 'USB001',
  is_default: true,
  is_virtual: false,
  enabled: true,
  status: 'online',
  updated_at: at('00:00.000'),
};

export const webhookExample: WebhookResource = {
  contract: 'svc_webhook_v1',
  webhook_id: '019aa000-0000-7000-8000-0000000000e1',
  url: 'https://hooks.example.com/printing',
  description: 'orders',
  event_types: ['job.spooler_completed', 'job.failed'],
  status: 'active',
  secret_version: 1,
  created_at: at('00:00.000'),
  updated_at: at('00:00.000'),
};
