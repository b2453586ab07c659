import type { DeliveryDocument, AttemptDocument } from './webhook-deliveries.js';

/** A delivery as the API shows it. */
const FIELDS = [
  'delivery_id',
  'webhook_id',
  'event_id',
  'event_type',
  'status',
  'attempt_count',
  'max_attempts',
  'next_attempt_at',
  'last_attempt_at',
  'response_status',
  'failure_code',
  'duration_ms',
  'created_at',
  'updated_at',
  'delivered_at',
] as const satisfies readonly (keyof DeliveryDocument)[];

const ATTEMPT_FIELDS = [
  'attempted_at',
  'response_status',
  'failure_code',
  'duration_ms',
] as const satisfies readonly (keyof AttemptDocument)[];

/** A delivery as the Integration API shows it. */
export interface DeliveryResource extends Pick<DeliveryDocument, (typeof FIELDS)[number]> {
  readonly contract: 'svc_webhook_delivery_v1';
  readonly attempts: readonly AttemptDocument[];
}

/** Exactly the public fields; those without a value are left out. */
export function deliveryResource(document: DeliveryDocument): DeliveryResource {
  return {
    contract: 'svc_webhook_delivery_v1',
    ...known(document, FIELDS),
    attempts: document.attempts.map((attempt) => known(attempt, ATTEMPT_FIELDS)),
  };
}

/** Only optional fields can be without a value. */
function known<T extends object, K extends keyof T>(values: T, fields: readonly K[]): Pick<T, K> {
  const valued = fields.filter((field) => values[field] !== undefined);
  return Object.fromEntries(valued.map((field) => [field, values[field]])) as Pick<T, K>;
}
