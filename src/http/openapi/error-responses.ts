import type { ErrorEntry } from '../errors/catalogue.js';
import type { OperationSpec } from '../operation.js';
import { headersOf, type HeaderName } from './headers.js';
import { SAMPLE_IDS } from './samples.js';

const further: Readonly<Record<number, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

/** Every status an operation can refuse with, with its codes. */
export function errorResponses(operation: OperationSpec): Record<string, unknown> {
  const byStatus = new Map<number, [code: string, entry: ErrorEntry][]>();
  for (const code of codesOf(operation)) {
    const entry = operation.surface.errors[code];
    if (!entry)
      throw new Error(`${operation.id} declares ${code}, which ${operation.surface.name} does not have`);
    byStatus.set(entry.status, [...(byStatus.get(entry.status) ?? []), [code, entry]]);
  }
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, codes]) => [String(status), response(operation, status, codes)]),
  );
}

function codesOf(operation: OperationSpec): ReadonlySet<string> {
  const { surface, errors = [], params = {}, route, auth, scopes, limit } = operation;
  const { refusals } = surface;
  const writes = !route.startsWith('GET');
  const authority = surface.authorityFields.length > 0 ? [refusals.authorityOverride] : [];
  return new Set<string>([
    refusals.invalid,
    refusals.malformed,
    ...authority,
    ...(auth === 'none' ? [] : [refusals.credentialInvalid]),
    ...(scopes?.length ? [refusals.scopeMissing] : []),
    ...Object.values(params).map((parameter) =>
      typeof parameter === 'string' ? parameter : parameter.notFound,
    ),
    ...errors,
    refusals.methodNotAllowed,
    ...(writes ? [refusals.payloadTooLarge, refusals.unsupportedMediaType] : []),
    ...(operation.carriesContent ? [refusals.contentTooLarge] : []),
    ...(limit || surface.perMinute || auth !== 'none' ? [refusals.rateLimited] : []),
    refusals.internal,
    refusals.unavailable,
  ]);
}

function response(operation: OperationSpec, status: number, codes: readonly [string, ErrorEntry][]) {
  const example = ([code, entry]: [string, ErrorEntry]) => [code, { value: bodyOf(operation, code, entry) }];
  return {
    description: codes.map(([code, { cause }]) => `\`${code}\`: ${cause}`).join(' '),
    headers: headersOf(operation, ...(further[status] ?? [])),
    content: {
      'application/json': {
        schema: schemaOf(
          operation,
          status,
          codes.map(([code]) => code),
        ),
        examples: Object.fromEntries(codes.map((each) => example([...each]))),
      },
    },
  };
}

function bodyOf({ surface }: OperationSpec, code: string, { status, retryable, cause }: ErrorEntry) {
  return {
    ...(surface.detailedErrors && { contract: 'svc_api_error_v1' }),
    code,
    message: cause,
    ...(surface.detailedErrors && { status }),
    retryable,
    ...SAMPLE_IDS,
  };
}

function schemaOf({ surface }: OperationSpec, status: number, codes: readonly string[]) {
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
