import type { Actor } from '../kernel/recorded-event.js';
import type { ErrorCatalogue, ErrorCode, RefusalKind } from './errors/api-error.js';

export const PRODUCT_VERSION = Symbol('product version');

export interface Versions {
  readonly product: string;
  readonly contract: 'v1';
  readonly schema: 23;
}

interface SurfaceDocument {
  readonly path: `/v1/${string}`;
  /** Markdown, about ten lines, with a first request. */
  readonly introduction: string;
  /** Markdown: the required credential, and where to get it. */
  readonly credential: string;
  /** Absent: bearer token. */
  readonly cookie?: string;
  readonly webhooks?: () => Readonly<Record<string, unknown>>;
}

/** Who calls; a visitor is an operator who sees an account as its viewers do. */
export type CallerKind = Actor['kind'] | 'visitor';

/** A path parameter: a UUID, or a pattern; a value that does not match is a resource that does not exist. */
export type PathParameter = ErrorCode | { readonly notFound: ErrorCode; readonly pattern: RegExp };

/** What tells whether an operation reads or writes. */
export interface OperationKind {
  readonly id: string;
  readonly route: string;
  readonly scopes?: readonly string[];
}

/** One family of clients: its paths, codes, headers and bodies. */
export interface Surface {
  readonly name: string;
  readonly title: string;
  /** Whole path segments. */
  readonly prefixes: readonly string[];
  readonly errors: ErrorCatalogue;
  readonly refusals: Readonly<Record<RefusalKind, string>>;
  /** Code of a success that has none of its own. */
  readonly okCode: string;
  /** The path parameters of its operations by name, or by the segment before them: `keys/:id`. */
  readonly params?: Readonly<Record<string, PathParameter>>;
  /** The callers of an operation that names none. */
  readonly callers?: readonly CallerKind[];
  /** Errors of an operation by the state of the account. */
  readonly accountErrors?: (operation: OperationKind) => readonly ErrorCode[];
  /** Headers of every answer, besides request and correlation id. */
  readonly headers: (versions: Versions) => Readonly<Record<string, string>>;
  /** The error body contains `contract` and `status` too. */
  readonly detailedErrors: boolean;
  readonly messages: boolean;
  /** Refused in a body or query, because authority comes from the credential. */
  readonly authorityFields: readonly string[];
  /** Limit per credential over all operations. */
  readonly perMinute?: number;
  /** Absent: not described in OpenAPI. */
  readonly document?: SurfaceDocument;
  /** Its clients poll: a call is part of a trace only if it names one. */
  readonly beginsNoTraces?: boolean;
}

/** Prevents caching. */
export const managedHeaders: Surface['headers'] = (versions) => ({
  'x-svc-version': versions.product,
  'x-svc-api-contract-version': versions.contract,
  'x-svc-managed-contract-version': versions.contract,
  'cache-control': 'no-store',
});

const PATH = /^(?:https?:\/\/[^/?#]*)?([^?#]*)/i;

/** @param target in origin form or in absolute form, as clients of a proxy send it (RFC 9112, 3.2) */
export const pathOf = (target: string): string => PATH.exec(target)![1]!;

/** Longest matching prefix; the first surface answers unknown paths. */
export function surfaceOf(surfaces: readonly Surface[], url: string): Surface {
  const path = pathOf(url);
  const owned = ({ prefixes }: Surface) =>
    Math.max(...prefixes.map((prefix) => (`${path}/`.startsWith(`${prefix}/`) ? prefix.length : 0)));
  return surfaces.reduce((best, each) => (owned(each) > owned(best) ? each : best));
}
