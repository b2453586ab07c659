import { JOB_STATUSES } from '../job-view/job-view.js';

/** JSON Schema 2020-12. Open to new fields: receivers ignore what they do not know (api-v1 9). */
export type JsonSchema = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const flag = { type: 'boolean' };
const id = { type: 'string', format: 'uuid' };
const moment = { type: 'string', format: 'date-time' };
const textOrNull = { type: ['string', 'null'] };
const atMost = (maxLength: number) => ({ type: 'string', maxLength });
const count = (minimum: number, maximum?: number) => ({
  type: 'integer',
  minimum,
  ...(maximum !== undefined && { maximum }),
});
const oneOf = (...values: string[]) => ({ enum: values });

function resource(
  required: Record<string, JsonSchema>,
  optional: Record<string, JsonSchema> = {},
): JsonSchema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

/** api-v1 2.6 */
export const jobSchema = resource(
  {
    contract: { const: 'svc_job_v1' },
    environment: { const: 'live' },
    job_id: id,
    printer_id: id,
    content_type: oneOf('pdf', 'raw', 'text'),
    content_hash: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    content_size_bytes: count(1),
    copies: count(1, 20),
    status: oneOf(...JOB_STATUSES),
    attempt_count: count(0),
    retry_count: count(0),
    max_auto_retries: count(1, 10),
    retry_state: oneOf('none', 'scheduled', 'submitted', 'completed', 'exhausted', 'manual_review'),
    created_at: moment,
    updated_at: moment,
    expires_at: moment,
    duration_ms: count(0),
    is_final: flag,
    can_cancel: flag,
    can_retry: flag,
  },
  {
    printer_code: text,
    printer_name: text,
    computer_name: text,
    external_id: atMost(120),
    title: atMost(160),
    next_attempt_at: moment,
    last_attempt_at: moment,
    last_failure_at: moment,
    failure_code: text,
    failure_class: oneOf('temporary', 'permanent', 'ambiguous'),
    failure_message: atMost(240),
    manual_review_at: moment,
    spooler_provider: text,
    spooler_job_id: atMost(128),
    spooler_submitted_at: moment,
    spooler_completed_at: moment,
    cancelled_at: moment,
    cancellation_reason: text,
    completed_at: moment,
  },
);

/** api-v1 2.3, without last_seen_at: a heartbeat is no event. */
export const computerSchema = resource(
  {
    contract: { const: 'svc_device_v1' },
    computer_id: id,
    friendly_code: { type: 'string', pattern: '^PC-[0-9A-F]{8}$' },
    name: text,
    status: oneOf('pending', 'online', 'offline', 'disabled', 'revoked'),
    created_at: moment,
    updated_at: moment,
  },
  { hostname: text, operating_system: text, agent_version: text, installer_version: text },
);

/** api-v1 2.4, without last_seen_at. */
export const printerSchema = resource({
  contract: { const: 'svc_printer_v1' },
  printer_id: id,
  printer_code: { type: 'string', pattern: '^PR-[0-9A-F]{8}$' },
  computer_id: id,
  computer_name: text,
  name: text,
  driver: textOrNull,
  port: textOrNull,
  is_default: flag,
  is_virtual: flag,
  enabled: flag,
  status: oneOf('online', 'offline', 'disabled', 'removed'),
  updated_at: moment,
});

/** The webhook resource without the times of its last deliveries. */
export const webhookSchema = resource(
  {
    contract: { const: 'svc_webhook_v1' },
    webhook_id: id,
    // As its owner wrote it: not every URL that WHATWG reads is an RFC 3986 URI.
    url: atMost(2048),
    event_types: { type: 'array', minItems: 1, uniqueItems: true, items: text },
    status: oneOf('active', 'paused'),
    secret_version: count(1),
    created_at: moment,
    updated_at: moment,
  },
  { description: atMost(160), paused_reason: oneOf('requested', 'endpoint_gone') },
);
