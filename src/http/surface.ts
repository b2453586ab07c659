import type { ErrorCatalogue, RefusalKind } from './errors/api-error.js';

/** Provider token of the product version, as package.json has it. */
export const PRODUCT_VERSION = Symbol('product version');

export interface Versions {
  readonly product: string;
  readonly contract: 'v1';
  readonly schema: 23;
}

/** The OpenAPI document of a surface, and what a reader needs before the first operation. */
export interface SurfaceDocument {
  /** Where it is served, below /v1. */
  readonly path: `/v1/${string}`;
  /** Markdown, about ten lines, with a first request. */
  readonly introduction: string;
  /** Which credential the operations take, and where it comes from. */
  readonly credential: string;
  /** The `webhooks` of the document. */
  readonly webhooks?: () => Readonly<Record<string, unknown>>;
}

/** What one family of clients sees: its paths, its codes, its headers, its bodies. */
export interface Surface {
  readonly name: string;
  readonly title: string;
  /** Paths that begin so (whole segments) belong to the surface. */
  readonly prefixes: readonly string[];
  readonly errors: ErrorCatalogue;
  readonly refusals: Readonly<Record<RefusalKind, string>>;
  /** Headers of every answer beside request and correlation id. */
  readonly headers: (versions: Versions) => Readonly<Record<string, string>>;
  /** `contract` and `status` stand in the error body as well. */
  readonly detailedErrors: boolean;
  /** Success answers carry a message. */
  readonly messages: boolean;
  /** Fields that must not be named in a body or query: authority comes from the credential. */
  readonly authorityFields: readonly string[];
  /** Requests a minute of one credential over all operations. */
  readonly perMinute?: number;
  /** Absent: the surface is not described in OpenAPI. */
  readonly document?: SurfaceDocument;
}

/** Headers of the surfaces whose answers no cache may keep. */
export const managedHeaders: Surface['headers'] = (versions) => ({
  'x-svc-version': versions.product,
  'x-svc-api-contract-version': versions.contract,
  'x-svc-managed-contract-version': versions.contract,
  'cache-control': 'no-store',
});

/** The surface with the longest prefix of a path; the first surface answers for paths that none of them owns. */
export function surfaceOf(surfaces: readonly Surface[], url: string): Surface {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  const owned = ({ prefixes }: Surface) =>
    Math.max(...prefixes.map((prefix) => (`${path}/`.startsWith(`${prefix}/`) ? prefix.length : 0)));
  return surfaces.reduce((best, each) => (owned(each) > owned(best) ? each : best));
}
