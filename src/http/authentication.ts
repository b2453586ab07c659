import type { Actor } from '../kernel/recorded-event.js';
import type { RefusalKind } from './errors/api-error.js';
import type { ApiError, ErrorCode } from './errors/api-error.js';
import type { OperationSpec } from './operation.js';

/** The caller, as its credential says. Never holds the secret. */
export interface Principal {
  readonly kind: Actor['kind'];
  readonly credentialId: string;
  readonly scopes: ReadonlySet<string>;
  readonly accountId?: string;
  readonly partnerId?: string;
  readonly computerId?: string;
  readonly environment?: 'live' | 'test';
}

/** Turns the secret of an Authorization header into a principal; unknown, malformed, revoked, expired: undefined. */
export interface Authenticator {
  authenticate(secret: string): Principal | undefined | Promise<Principal | undefined>;
  /**
   * The id of the stored record that a refused secret names, even if the secret never belonged to it; undefined for a
   * made-up one. Called only beyond the limit of an address.
   */
  recordOf?(secret: string): Promise<string | undefined>;
  /** As `authenticate`, from the cache of this process alone. */
  peekCached?(secret: string): Principal | undefined;
}

/** Refuses a valid request before its controller: a suspended account, a switched-off environment. */
export type Admission = (
  principal: Principal,
  operation: OperationSpec,
) => ApiError | ErrorCode | RefusalKind | undefined | Promise<ApiError | ErrorCode | RefusalKind | undefined>;

export interface SurfaceAccess {
  readonly authenticator: Authenticator;
  readonly admission?: Admission;
}

/** By the name of the surface. */
export type Access = Readonly<Record<string, SurfaceAccess>>;
