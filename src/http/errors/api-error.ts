/** `cause` is also the default message. docs/reference/errors.md says what to do. */
export interface ErrorEntry {
  readonly status: number;
  readonly retryable: boolean;
  readonly cause: string;
}

export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

/** Refusals before any command; each surface has its own code for each. */
export type RefusalKind =
  | 'routeUnknown'
  | 'methodNotAllowed'
  | 'credentialInvalid'
  | 'rateLimited'
  | 'scopeMissing'
  | 'payloadTooLarge'
  | 'contentTooLarge'
  | 'unsupportedMediaType'
  | 'malformed'
  | 'authorityOverride'
  | 'invalid'
  | 'internal'
  | 'unavailable'
  | 'requestTimeout'
  | 'headersTooLarge';

/** The API adds its codes (`declare module`), so that a misspelt code fails the build. */
export interface SurfaceCodes {
  /** The HTTP layer has refusals instead of codes. */
  platform: never;
}

export type ErrorCode = SurfaceCodes[keyof SurfaceCodes];

/** The only error shown to clients unchanged. Messages name the field and the rule, never the sent value. */
export class ApiError extends Error {
  constructor(
    readonly key: ErrorCode | RefusalKind,
    message?: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message ?? '');
    this.name = 'ApiError';
  }
}

/** Body of an error, without the ids of its request. */
export const errorFields = (
  { detailedErrors }: { readonly detailedErrors?: boolean },
  { code, message, status, retryable }: Pick<ErrorEntry, 'status' | 'retryable'> & Coded,
) => ({
  ...(detailedErrors && { contract: 'svc_api_error_v1' }),
  code,
  message,
  ...(detailedErrors && { status }),
  retryable,
});

interface Coded {
  readonly code: string;
  readonly message: string;
}

/** @throws ApiError with the code if there is no value */
export function orNotFound<T>(value: T | undefined, code: ErrorCode): T {
  if (value === undefined) throw new ApiError(code);
  return value;
}
