import { MAX_CONTENT_BYTES } from '../../http/body/content.js';
import { BODY_LIMIT_BYTES } from '../../http/body/body-parser.js';
import type { OperationSpec } from '../../http/operation.js';
import { MAX_WAIT_SECONDS } from './polling.js';
import { partner as surface } from './partner.surface.js';
import { createEnrollment, deactivateAccount, provisionAccount } from './accounts.operations.js';
import { deactivateDevice, listDevices, listPrinters, updatePrinter } from './devices.operations.js';
import { Capabilities, Health } from './diagnostics.requests.js';
import { enrollDevice } from './enroll.operations.js';
import { createJob, getJob, listJobs } from './jobs.operations.js';

export const getHealth: OperationSpec = {
  id: 'getHealth',
  surface,
  route: 'GET /v1/managed/health',
  summary: 'Get the health of the service',
  tag: 'Service',
  scopes: ['diagnostics:read'],
  limit: { perMinute: 120 },
  success: {
    status: 200,
    description: 'The state of the service; a degraded one is answered 200 too.',
    type: Health,
    codes: ['OK'],
    example: {
      status: 'ok',
      checks: { event_store: 'ok', read_store: 'ok', projections: 'ok' },
      time: '2026-11-21T12:00:00.000Z',
    },
  },
};

const measured = [
  provisionAccount,
  deactivateAccount,
  createEnrollment,
  enrollDevice,
  listDevices,
  deactivateDevice,
  listPrinters,
  updatePrinter,
  createJob,
  listJobs,
  getJob,
];

/** Limits for every partner; a plan may be stricter. */
export const CAPABILITIES = {
  contract: 'svc_partner_capabilities_v1',
  features: { webhooks: false, jobs: true, enrollment: true, printers: true },
  polling: { conditional_requests: true, max_wait_seconds: MAX_WAIT_SECONDS },
  limits: {
    request_body_bytes: BODY_LIMIT_BYTES,
    content_bytes: MAX_CONTENT_BYTES,
    copies: 20,
    page_size: 100,
    idempotency_key_hours: 24,
    job_expiry_days: 30,
    enrollment_ttl_seconds: 1800,
    device_credential_days: 180,
    requests_per_minute: {
      all: surface.perMinute!,
      ...Object.fromEntries(measured.map(({ id, limit }) => [id, limit!.perMinute])),
    },
  },
  content_types: ['text', 'pdf', 'raw'],
} as const;

export const getCapabilities: OperationSpec = {
  id: 'getCapabilities',
  surface,
  route: 'GET /v1/managed/capabilities',
  summary: 'Get the capabilities of the service',
  tag: 'Service',
  description: 'Takes precedence over any published description (contract, section 9).',
  scopes: ['diagnostics:read'],
  limit: { perMinute: 120 },
  success: {
    status: 200,
    description: 'Features, limits and versions.',
    type: Capabilities,
    codes: ['OK'],
    example: {
      ...CAPABILITIES,
      environment: 'live',
      versions: { product: '2.0.59', contract: 'v1', managed_contract: 'v1' },
    },
  },
};
