import type { Rejection } from '../../kernel/decider.js';

/** An error as shown to clients. `cause` is also the default message. */
export interface ErrorEntry {
  readonly status: number;
  readonly retryable: boolean;
  readonly cause: string;
  readonly remedy: string;
}

export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

/** Refusals by the HTTP layer, before any command; each surface has its own code for each. */
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

export type RefusalCodes<C extends ErrorCatalogue> = Readonly<Record<RefusalKind, keyof C & string>>;

/**
 * Codes by surface. Each surface adds its catalogue (`declare module`), so that a misspelt code fails the
 * build.
 */
export interface SurfaceCodes {
  /** The HTTP layer has refusals instead of codes. */
  platform: never;
}

export type ErrorCode = SurfaceCodes[keyof SurfaceCodes];

/**
 * The only error shown to clients unchanged: a code of the surface's catalogue, or a refusal of the HTTP layer
 * translated by the surface. Messages name the field and the rule, never the sent value.
 */
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

/** A surface's error for each rejection of a context. The type is complete: a new code fails the build. */
export type RejectionTable<R extends Rejection> = {
  readonly [C in R['code']]: ErrorCode | ((rejection: Extract<R, { code: C }>) => ApiError);
};

export function refusalOf<R extends Rejection>(table: RejectionTable<R>, rejection: R): ApiError {
  const entry = table[rejection.code as R['code']];
  return typeof entry === 'function'
    ? entry(rejection as Extract<R, { code: R['code'] }>)
    : new ApiError(entry);
}
