import type { Actor } from '../kernel/recorded-event.js';
import type { RefusalKind } from './errors/catalogue.js';
import type { ApiError, ErrorCode } from './errors/api-error.js';
import type { OperationSpec } from './operation.js';
import type { SurfaceName } from './surfaces.js';

/** Who calls: what an authenticator made of a credential. Never holds the secret. */
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
   * The id of the stored record that a refused secret names, whether or not the secret ever belonged to it: undefined
   * for anything made up. Asked only beyond the limit of an address.
   */
  recordOf?(secret: string): Promise<string | undefined>;
  /** The same without asking a store: as this process remembers it; undefined also when it does not. */
  recall?(secret: string): Principal | undefined;
}

/**
 * Last word before the controller, when the request itself is in order: a suspended account, a switched-off
 * environment. Undefined lets the request pass.
 */
export type Admission = (
  principal: Principal,
  operation: OperationSpec,
) => ApiError | ErrorCode | RefusalKind | undefined | Promise<ApiError | ErrorCode | RefusalKind | undefined>;

export interface SurfaceAccess {
  readonly authenticator: Authenticator;
  readonly admission?: Admission;
}

export type Access = Partial<Record<SurfaceName, SurfaceAccess>>;
