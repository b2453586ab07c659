/** One error as a client sees it. `cause` is also the message when the thrower has nothing better to say. */
export interface ErrorEntry {
  readonly status: number;
  readonly retryable: boolean;
  readonly cause: string;
  readonly cure: string;
}

export type ErrorCatalogue = Readonly<Record<string, ErrorEntry>>;

/** What the platform itself refuses, before any domain has been asked; each surface has its own code for it. */
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
