import { Controller, Inject } from '@nestjs/common';
import { MAX_CONTENT_BYTES } from '../../../http/body/read-body.js';
import { MAX_BODY_BYTES, ok, operationsOf } from '../../../http/operation.js';
import { Caller } from '../../../http/request.js';
import { PRODUCT_VERSION } from '../../../http/surface.js';
import { Field } from '../../../http/validation/field.js';
import {
  boolean,
  constant,
  count,
  dateTime,
  integer,
  listOf,
  object,
  oneOf,
  shaped,
  text,
} from '../../../http/validation/rules.js';
import { isReady, Readiness } from '../../../kernel/readiness.js';
import { Clock } from '../../../kernel/time.js';
import { MAX_WAIT_SECONDS } from '../../polling.js';
import type { PartnerPrincipal } from '../partner.authenticator.js';
import { LIMITS, partner } from '../partner.surface.js';

const check = oneOf('ok', 'failing', 'lagging');

class HealthChecks {
  @Field(check) event_store!: string;
  @Field(check) read_store!: string;
  @Field(check) projections!: string;
}

export class Health {
  @Field(oneOf('ok', 'degraded')) status!: string;
  @Field(object(() => HealthChecks)) checks!: HealthChecks;
  @Field(dateTime()) time!: string;
}

class Features {
  @Field(constant(false), { description: 'Poll jobs instead' }) webhooks!: boolean;
  @Field(boolean()) jobs!: boolean;
  @Field(boolean()) enrollment!: boolean;
  @Field(boolean()) printers!: boolean;
}

class Polling {
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

/** Limits for every partner; a plan may be stricter. */
const CAPABILITIES = {
  contract: 'svc_partner_capabilities_v1',
  features: { webhooks: false, jobs: true, enrollment: true, printers: true },
  polling: { conditional_requests: true, max_wait_seconds: MAX_WAIT_SECONDS },
  limits: {
    request_body_bytes: MAX_BODY_BYTES,
    content_bytes: MAX_CONTENT_BYTES,
    copies: 20,
    page_size: 100,
    idempotency_key_hours: 24,
    job_expiry_days: 30,
    enrollment_ttl_seconds: 1800,
    device_credential_days: 180,
    requests_per_minute: { all: partner.perMinute!, ...LIMITS },
  },
  content_types: ['text', 'pdf', 'raw'],
} as const;

const Operation = operationsOf(partner, { tag: 'Service' });

@Controller()
export class PartnerDiagnosticsController {
  constructor(
    private readonly readiness: Readiness,
    private readonly clock: Clock,
    @Inject(PRODUCT_VERSION) private readonly product: string,
  ) {}

  @Operation({
    id: 'getHealth',
    route: 'GET /v1/managed/health',
    summary: 'Get the health of the service',
    scopes: ['diagnostics:read'],
    limit: { perMinute: 120 },
    success: ok('The state of the service; a degraded one is answered 200 too.', Health),
  })
  async health() {
    const checks = await this.readiness.check();
    return { status: isReady(checks) ? 'ok' : 'degraded', checks, time: this.clock.now() };
  }

  @Operation({
    id: 'getCapabilities',
    route: 'GET /v1/managed/capabilities',
    summary: 'Get the capabilities of the service',
    description: 'Takes precedence over any published description.',
    scopes: ['diagnostics:read'],
    limit: { perMinute: 120 },
    success: ok('Features, limits and versions.', Capabilities, {
      example: {
        ...CAPABILITIES,
        environment: 'live',
        versions: { product: '2.0.59', contract: 'v1', managed_contract: 'v1' },
      },
    }),
  })
  capabilities(@Caller() { environment }: PartnerPrincipal) {
    const versions = { product: this.product, contract: 'v1', managed_contract: 'v1' };
    return { ...CAPABILITIES, environment, versions };
  }
}
