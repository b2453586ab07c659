/** Columns of the tables that `rps` prints on a terminal. */
export const ACCOUNTS = ['account_id', 'name', 'slug', 'status', 'environment_enabled', 'created_at'];
export const KEYS = ['key_id', 'name', 'status', 'last4', 'scopes', 'created_at', 'expires_at'];
export const CREDENTIALS = [
  ...['credential_id', 'kind', 'status', 'last4', 'scopes', 'created_at'],
  'last_used_at',
];
export const MEMBERS = ['member_id', 'sign_in_name', 'display_name', 'role', 'has_password', 'invited_at'];
export const JOBS = ['job_id', 'status', 'failure_code', 'created_at', 'printer_name', 'title'];
export const HISTORY = ['created_at', 'event_type', 'previous_status', 'new_status', 'outcome', 'details'];
export const COMPUTERS = [
  ...['computer_id', 'name', 'status', 'last_seen_at', 'agent_version'],
  ...['health.behind', 'health.low_space', 'health.last_error.code', 'health.stuck_printers'],
  'credential_expires_at',
];
export const WEBHOOKS = [
  ...['webhook_id', 'url', 'status', 'health', 'failing_since', 'paused_reason'],
  'last_success_at',
];
export const PRINTERS = ['printer_id', 'name', 'printer_code', 'status', 'is_virtual'];
export const PRINTERS_OF_ACCOUNT = [
  ...['printer_id', 'name', 'printer_code', 'status', 'enabled', 'paused', 'computer_name'],
  'updated_at',
];
export const DELIVERIES = [
  ...['delivery_id', 'status', 'event_type', 'attempt_count', 'response_status', 'failure_code'],
  ...['created_at', 'next_attempt_at'],
];
export const ATTEMPTS = ['attempted_at', 'response_status', 'failure_code', 'duration_ms'];
export const ADDED = ['name', 'address'];
export const EVENTS = ['position', 'recorded_at', 'type', 'stream'];
