/** One error as a client sees it. `cause` is also the message when the thrower has nothing better to say. */
export interface ErrorEntry {
  readonly status: number;
  readonly retryable: boolean;
  readonly cause: string;
  readonly cure: string;
}

export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

/** Refusals of the platform, before the domain is asked; each surface has its own code for each. */
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

/** Codes by surface. Each surface adds those of its catalogue (`declare module`), so that a misspelt code fails the build. */
export interface SurfaceCodes {
  /** The platform has refusals instead of codes. */
  platform: never;
}

export type ErrorCode = SurfaceCodes[keyof SurfaceCodes];

/**
 * The only error that reaches a client as it is: a code of the surface's catalogue, or a refusal of the platform
 * that the surface translates. Messages name the field and the rule and never repeat what was sent.
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
