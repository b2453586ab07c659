import type { Type } from '@nestjs/common';
import { errorFields, type ErrorEntry } from '../errors/api-error.js';
import { codeOf, envelope, type OperationSpec, type Success, successes } from '../operation.js';
import type { Versions } from '../surface.js';
import type { JsonSchema } from '../validation/rules.js';
import { type Components, SAMPLE_IDS, sampleOf } from './schemas.js';

export function successResponses(operation: OperationSpec, components: Components): Record<string, unknown> {
  return Object.fromEntries(
    successes(operation).map((success) => [
      String(success.status),
      successResponse(operation, success, components),
    ]),
  );
}

function successResponse(operation: OperationSpec, success: Success, components: Components) {
  const own = Object.entries(success.headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    description: success.description,
    headers: { ...headersOf(operation), ...Object.fromEntries(own) },
    ...contentOf(operation, success, components),
  };
}

function contentOf(operation: OperationSpec, success: Success, components: Components) {
  if (success.media) return { content: { [success.media]: { schema: {} } } };
  if (!success.type) return {};
  const item = typeof success.type === 'function' ? components.ref(success.type) : success.type;
  const schema = envelopeSchema(operation, success, dataSchema(success, item));
  const example = { ...envelope(operation, success, dataSample(success)), ...SAMPLE_IDS };
  return { content: { 'application/json': { schema, example } } };
}

function envelopeSchema(operation: OperationSpec, success: Success, data: JsonSchema): JsonSchema {
  const { surface } = operation;
  const properties = {
    code: { type: 'string', enum: [codeOf(operation, success)] },
    ...(surface.messages && { message: { type: 'string' } }),
    data,
    request_id: { type: 'string', format: 'uuid' },
    correlation_id: { type: 'string' },
  };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const count: JsonSchema = { type: 'integer', minimum: 0 };

function dataSchema({ list }: Success, item: JsonSchema): JsonSchema {
  if (!list) return item;
  const items: JsonSchema = { type: 'array', items: item };
  const properties: Record<string, JsonSchema> =
    list === 'page'
      ? { items, count, total: count, limit: { type: 'integer', minimum: 1, maximum: 100 }, offset: count }
      : { items, has_more: { type: 'boolean' }, next_cursor: { type: ['string', 'null'] } };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

function dataSample({ type, list, example }: Success): unknown {
  const one = example ?? sampleOf(type as Type | JsonSchema);
  if (list === 'page') return { items: [one], count: 1, total: 1, limit: 25, offset: 0 };
  if (list === 'cursor') return { items: [one], has_more: false, next_cursor: null };
  return one;
}

const further: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

export function errorResponses(operation: OperationSpec): Record<string, unknown> {
  const byStatus = new Map<number, [code: string, entry: ErrorEntry][]>();
  for (const code of codesOf(operation)) {
    const entry = operation.surface.errors[code];
    if (!entry)
      throw new Error(`${operation.id} declares ${code}, which ${operation.surface.name} does not have`);
    const status = operation.statuses?.[code] ?? entry.status;
    byStatus.set(status, [...(byStatus.get(status) ?? []), [code, { ...entry, status }]]);
  }
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, codes]) => [String(status), errorResponse(operation, status, codes)]),
  );
}

const requiresScope = ({ scopes = [], anyScope = [] }: OperationSpec) => scopes.length + anyScope.length > 0;

function codesOf(operation: OperationSpec): ReadonlySet<string> {
  const { surface, errors = [], params = {}, route, auth, limit } = operation;
  const { refusals } = surface;
  const writes = !route.startsWith('GET');
  const authority = surface.authorityFields.length > 0 ? [refusals.authorityOverride] : [];
  return new Set<string>([
    refusals.invalid,
    refusals.malformed,
    ...authority,
    ...(auth === 'none' || auth === 'optional' ? [] : [refusals.credentialInvalid]),
    ...(requiresScope(operation) ? [refusals.scopeMissing] : []),
    ...Object.values(params).map((parameter) =>
      typeof parameter === 'string' ? parameter : parameter.notFound,
    ),
    ...(surface.accountErrors?.(operation) ?? []),
    ...errors,
    refusals.methodNotAllowed,
    refusals.requestTimeout,
    refusals.headersTooLarge,
    ...(writes ? [refusals.payloadTooLarge, refusals.unsupportedMediaType] : []),
    ...(operation.carriesContent ? [refusals.contentTooLarge] : []),
    ...(limit || surface.perMinute || auth !== 'none' ? [refusals.rateLimited] : []),
    refusals.internal,
    refusals.unavailable,
  ]);
}

function errorResponse(operation: OperationSpec, status: number, codes: readonly [string, ErrorEntry][]) {
  const example = (code: string, { cause, ...entry }: ErrorEntry) => ({
    value: { ...errorFields(operation.surface, { ...entry, code, message: cause }), ...SAMPLE_IDS },
  });
  return {
    description: codes.map(([code, { cause }]) => `\`${code}\`: ${cause}`).join(' '),
    headers: headersOf(operation, ...(further[status] ?? [])),
    content: {
      'application/json': {
        schema: errorSchema(
          operation,
          status,
          codes.map(([code]) => code),
        ),
        examples: Object.fromEntries(codes.map(([code, entry]) => [code, example(code, entry)])),
      },
    },
  };
}

function errorSchema({ surface }: OperationSpec, status: number, codes: readonly string[]) {
  const properties = {
    ...(surface.detailedErrors && { contract: { const: 'svc_api_error_v1' } }),
    code: { type: 'string', enum: codes },
    message: { type: 'string' },
    ...(surface.detailedErrors && { status: { const: status } }),
    retryable: { type: 'boolean' },
    request_id: { type: 'string', format: 'uuid' },
    correlation_id: { type: 'string' },
  };
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const text = (description: string, schema: object = {}) => ({
  description,
  schema: { type: 'string', ...schema },
});
const wholeNumber = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

/** Response headers by their name in components. */
export const HEADERS = {
  'X-Svc-Version': text('Product version.'),
  'X-Svc-API-Version': text('Contract version.', { const: 'v1' }),
  'X-Svc-API-Contract-Version': text('Contract version.', { const: 'v1' }),
  'X-Svc-Managed-Contract-Version': text('Version of the managed contract.', { const: 'v1' }),
  'X-Svc-Request-Id': text('Unique for each request; name it to support.', { format: 'uuid' }),
  'X-Svc-Correlation-Id': text('The X-Correlation-Id of the request if it was valid, otherwise a new one.'),
  'RateLimit-Limit': wholeNumber('Requests in the window.'),
  'RateLimit-Remaining': wholeNumber('Requests left in the window.'),
  'RateLimit-Reset': wholeNumber('Seconds until the window ends.'),
  'Retry-After': wholeNumber('Seconds to wait before the next try.'),
  Allow: text('Methods that the path takes.'),
  'WWW-Authenticate': text('How to authenticate.'),
  'Cache-Control': text('Answers are not kept by caches.'),
};

type HeaderName = keyof typeof HEADERS;

const NAMES = new Map(Object.keys(HEADERS).map((name) => [name.toLowerCase(), name as HeaderName]));
/** Placeholder values; only the names of the headers matter. */
const ANY: Versions = { product: '', contract: 'v1', schema: 23 };

function headersOf({ surface, limit }: OperationSpec, ...further: HeaderName[]) {
  const limited: HeaderName[] =
    limit || surface.perMinute ? ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] : [];
  const names = [
    ...Object.keys(surface.headers(ANY)).map((name) => NAMES.get(name)!),
    'X-Svc-Request-Id',
    'X-Svc-Correlation-Id',
    ...limited,
    ...further,
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
