import { LRUCache } from 'lru-cache';
import type { Actor } from '../kernel/recorded-event.js';
import type { ApiError, ErrorCode, RefusalKind } from './errors/api-error.js';
import type { OperationSpec } from './operation.js';

/** The caller named by its credential. Never holds the secret. */
export interface Principal {
  readonly kind: Actor['kind'];
  readonly credentialId: string;
  /** Actor of the events that it causes, if not the credential: the person of a session. */
  readonly actorId?: string;
  readonly scopes: ReadonlySet<string>;
  readonly accountId?: string;
  readonly partnerId?: string;
  readonly computerId?: string;
  readonly environment?: 'live' | 'test';
  /** Whether it is still valid, after a long request. */
  readonly stands?: () => Promise<boolean>;
}

/**
 * Resolves the secret of an Authorization header to a principal; undefined if it is unknown, malformed, revoked
 * or expired.
 */
export interface Authenticator {
  authenticate(secret: string): Principal | undefined | Promise<Principal | undefined>;
  /**
   * Id of the stored record named by a refused secret, even if the secret is wrong; undefined if no record
   * exists. Called only when the client's address exceeds its limit.
   */
  recordOf?(secret: string): Promise<string | undefined>;
  /** Like `authenticate`, but only from this process's cache. */
  peekCached?(secret: string): Principal | undefined;
}

/** Refuses a valid request before its controller: suspended account, switched-off environment. */
export type Admission = (
  principal: Principal,
  operation: OperationSpec,
) => ApiError | ErrorCode | RefusalKind | undefined | Promise<ApiError | ErrorCode | RefusalKind | undefined>;

/** Resolves the secret of a session cookie to a principal; undefined if the session is unknown or has ended. */
export type SessionAuthentication = (secret: string) => Promise<Principal | undefined>;

interface SurfaceAccess {
  /** Absent: the surface takes no Authorization header. */
  readonly authenticator?: Authenticator;
  /** Absent: the surface takes no session cookie. */
  readonly session?: SessionAuthentication | undefined;
  readonly admission?: Admission;
}

/** By name of the surface. */
export type Access = Readonly<Record<string, SurfaceAccess>>;

/** A revoked credential must stop working within a second; the cache may use half of that. */
const FRESH_MS = 500;
const MOST = 10_000;

/** Caches the principals of secrets briefly, so that not every request looks them up. In memory only. */
export class CredentialCache<T extends object> {
  private readonly known = new LRUCache<string, T>({ max: MOST, ttl: FRESH_MS });
  /** Incremented by each clearing: results of earlier look-ups are not cached. */
  private clearings = 0;

  async get(secret: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    const cached = this.known.get(secret);
    if (cached) return cached;
    const { clearings } = this;
    const found = await lookUp();
    if (found && clearings === this.clearings) this.known.set(secret, found);
    return found;
  }

  /** Call after any change of a credential. */
  clear(): void {
    this.clearings++;
    this.known.clear();
  }
}
