import { Field } from '../../http/validation/field.js';
import {
  boolean,
  constant,
  dateTime,
  integer,
  listOf,
  object,
  oneOf,
  shaped,
  text,
} from '../../http/validation/rules.js';

const check = oneOf('ok', 'failing', 'lagging');
const count = integer(0, Number.MAX_SAFE_INTEGER);

export class HealthChecks {
  @Field(check) event_store!: string;
  @Field(check) read_store!: string;
  @Field(check) projections!: string;
}

export class Health {
  @Field(oneOf('ok', 'degraded')) status!: string;
  @Field(object(() => HealthChecks)) checks!: HealthChecks;
  @Field(dateTime()) time!: string;
}

export class Features {
  @Field(constant(false), { description: 'Poll jobs instead' }) webhooks!: boolean;
  @Field(boolean()) jobs!: boolean;
  @Field(boolean()) enrollment!: boolean;
  @Field(boolean()) printers!: boolean;
}

/** Describes polling as the way to follow outcomes. */
export class Polling {
  @Field(boolean(), { description: 'ETag and If-None-Match; a 304 is not counted by the rate limit' })
  conditional_requests!: boolean;
  @Field(integer(1, 60), { description: 'Longest `Prefer: wait=N` on a job' }) max_wait_seconds!: number;
}

export class Limits {
  @Field(count) request_body_bytes!: number;
  @Field(count) content_bytes!: number;
  @Field(count) copies!: number;
  @Field(count) page_size!: number;
  @Field(count, { description: 'A key is kept so long, and at least until the job expires' })
  idempotency_key_hours!: number;
  @Field(count) job_expiry_days!: number;
  @Field(count) enrollment_ttl_seconds!: number;
  @Field(count) device_credential_days!: number;
  @Field(shaped({ type: 'object', additionalProperties: { type: 'integer', minimum: 1 } }), {
    description: 'By operationId; `all` of one credential together',
  })
  requests_per_minute!: object;
}

export class Versions {
  @Field(text({ max: 40 })) product!: string;
  @Field(constant('v1')) contract!: string;
  @Field(constant('v1')) managed_contract!: string;
}

export class Capabilities {
  @Field(constant('svc_partner_capabilities_v1')) contract!: string;
  @Field(oneOf('live', 'test'), { description: "The credential's" }) environment!: string;
  @Field(object(() => Features)) features!: Features;
  @Field(object(() => Polling)) polling!: Polling;
  @Field(object(() => Limits)) limits!: Limits;
  @Field(listOf(oneOf('text', 'pdf', 'raw'), { max: 3 })) content_types!: string[];
  @Field(object(() => Versions)) versions!: Versions;
}
