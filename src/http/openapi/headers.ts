import type { OperationSpec } from '../operation.js';
import type { Versions } from '../surface.js';

const text = (description: string, schema: object = {}) => ({
  description,
  schema: { type: 'string', ...schema },
});
const count = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

/** Response headers by their name in components. */
export const HEADERS = {
  'X-Svc-Version': text('Product version.'),
  'X-Svc-API-Version': text('Contract version.', { const: 'v1' }),
  'X-Svc-API-Contract-Version': text('Contract version.', { const: 'v1' }),
  'X-Svc-Managed-Contract-Version': text('Version of the managed contract.', { const: 'v1' }),
  'X-Svc-Request-Id': text('Unique for each request; name it to support.', { format: 'uuid' }),
  'X-Svc-Correlation-Id': text('The X-Correlation-Id of the request if it was valid, otherwise a new one.'),
  'RateLimit-Limit': count('Requests in the window.'),
  'RateLimit-Remaining': count('Requests left in the window.'),
  'RateLimit-Reset': count('Seconds until the window ends.'),
  'Retry-After': count('Seconds to wait before the next try.'),
  Allow: text('Methods that the path takes.'),
  'WWW-Authenticate': text('How to authenticate.'),
  'Cache-Control': text('Answers are not kept by caches.'),
};

export type HeaderName = keyof typeof HEADERS;

const NAMES = new Map(Object.keys(HEADERS).map((name) => [name.toLowerCase(), name as HeaderName]));
/** Placeholder values; only the names of the headers matter. */
const ANY: Versions = { product: '', contract: 'v1', schema: 23 };

/** References to the response headers of this operation. */
export function headersOf({ surface, limit }: OperationSpec, ...further: HeaderName[]) {
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
