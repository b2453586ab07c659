import type { ErrorCatalogue, ErrorEntry, RefusalCodes } from './api-error.js';

const CHANGE_REQUEST = 'Change the request as the message says.';

/** Refusals common to all surfaces, which differ in the prefix of the code. */
export const transport = {
  invalid: {
    status: 400,
    retryable: false,
    cause: 'The request breaks a rule of the operation.',
    remedy: 'The message names the field and the rule; change the request.',
  },
  routeUnknown: {
    status: 404,
    retryable: false,
    cause: 'There is no such path.',
    remedy: 'Compare the path with the OpenAPI document.',
  },
  methodNotAllowed: {
    status: 405,
    retryable: false,
    cause: 'The path does not take this method.',
    remedy: 'Use a method of the Allow header.',
  },
  requestTimeout: {
    status: 408,
    retryable: false,
    cause:
      'The request did not arrive in time: headers within 10 seconds, the body within 60, and 32 KiB of a large body within each five.',
    remedy: 'Check the connection, then send the request again with the same Idempotency-Key.',
  },
  contentTooLarge: {
    status: 413,
    retryable: false,
    cause: 'The decoded content is over the limit of the service or of the plan.',
    remedy: 'Send a smaller document.',
  },
  payloadTooLarge: {
    status: 413,
    retryable: false,
    cause: 'The request body is over the limit of its operation.',
    remedy: 'Send a smaller body; the message names the limit.',
  },
  unsupportedMediaType: {
    status: 415,
    retryable: false,
    cause: 'Bodies are application/json in UTF-8, without Content-Encoding.',
    remedy: 'Send Content-Type: application/json and the body as it is.',
  },
  rateLimited: {
    status: 429,
    retryable: true,
    cause: 'Too many requests in this minute.',
    remedy: 'Wait as Retry-After says, then repeat with backoff and jitter.',
  },
  headersTooLarge: {
    status: 431,
    retryable: false,
    cause: 'More than 16 KiB of headers.',
    remedy: 'Send fewer or shorter headers.',
  },
  internal: {
    status: 500,
    retryable: false,
    cause: 'Something failed inside the service.',
    remedy: 'Report the request_id.',
  },
  unavailable: {
    status: 503,
    retryable: true,
    cause: 'The service cannot answer now.',
    remedy: 'Repeat the same request (with its Idempotency-Key) after Retry-After.',
  },
} as const satisfies Record<string, ErrorEntry>;

export const conflict = (cause: string, remedy: string = CHANGE_REQUEST) =>
  ({ status: 409, retryable: false, cause, remedy }) as const;

export const notFound = (what: string) =>
  ({
    status: 404,
    retryable: false,
    cause: `There is no such ${what}.`,
    remedy: 'Check the id and the credential that asks.',
  }) as const;

export const forbidden = (cause: string, remedy: string) =>
  ({ status: 403, retryable: false, cause, remedy }) as const;

export const unauthorized = (what: string) =>
  ({
    status: 401,
    retryable: false,
    cause: `The ${what} is missing, malformed, unknown, expired or revoked.`,
    remedy: 'Use a valid one; do not repeat with the same.',
  }) as const;

/** Refusals for the state or plan of an account, on every surface. */
export const ofAccount = {
  planLimitReached: {
    status: 402,
    retryable: false,
    cause: "The plan's number of jobs for this month is used up.",
    remedy: 'Raise the plan or wait for the next month.',
  },
  apiDisabled: {
    status: 503,
    retryable: false,
    cause: 'The public API of the account is switched off.',
    remedy: 'Ask the operator to switch the environment on.',
  },
  suspended: forbidden('The account is suspended.', 'Ask the operator to resume it.'),
  virtualPrintersOnly: forbidden('The account may use virtual printers only.', 'Use a virtual printer.'),
} as const satisfies Record<string, ErrorEntry>;

/** Codes without a prefix, for surfaces without codes of their own for the HTTP layer's refusals. */
export const plainErrors = {
  INVALID_REQUEST: transport.invalid,
  CREDENTIAL_INVALID: unauthorized('credential'),
  SCOPE_REQUIRED: forbidden('The credential lacks a required scope.', 'Use a credential with the scope.'),
  ROUTE_NOT_FOUND: transport.routeUnknown,
  METHOD_NOT_ALLOWED: transport.methodNotAllowed,
  REQUEST_TIMEOUT: transport.requestTimeout,
  CONTENT_TOO_LARGE: transport.contentTooLarge,
  PAYLOAD_TOO_LARGE: transport.payloadTooLarge,
  UNSUPPORTED_MEDIA_TYPE: transport.unsupportedMediaType,
  RATE_LIMIT_EXCEEDED: transport.rateLimited,
  HEADERS_TOO_LARGE: transport.headersTooLarge,
  INTERNAL_ERROR: transport.internal,
  UNAVAILABLE: transport.unavailable,
} as const satisfies ErrorCatalogue;

export const plainRefusals = {
  routeUnknown: 'ROUTE_NOT_FOUND',
  methodNotAllowed: 'METHOD_NOT_ALLOWED',
  credentialInvalid: 'CREDENTIAL_INVALID',
  rateLimited: 'RATE_LIMIT_EXCEEDED',
  scopeMissing: 'SCOPE_REQUIRED',
  payloadTooLarge: 'PAYLOAD_TOO_LARGE',
  contentTooLarge: 'CONTENT_TOO_LARGE',
  unsupportedMediaType: 'UNSUPPORTED_MEDIA_TYPE',
  malformed: 'INVALID_REQUEST',
  authorityOverride: 'INVALID_REQUEST',
  invalid: 'INVALID_REQUEST',
  internal: 'INTERNAL_ERROR',
  unavailable: 'UNAVAILABLE',
  requestTimeout: 'REQUEST_TIMEOUT',
  headersTooLarge: 'HEADERS_TOO_LARGE',
} as const satisfies RefusalCodes<typeof plainErrors>;
