import { parseCredential } from '../kernel/credential.js';
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
  readonly isStillValid?: () => Promise<boolean>;
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

/** Provider token of the `Access`. */
export const ACCESS = Symbol('access of each surface');

/** A revoked credential must stop working within a second; the cache may use half of that. */
const FRESH_MS = 500;
const MAX_CACHED = 10_000;

interface Cached<T> {
  readonly value: T;
  readonly staleAt: number;
}

/** Caches the principals of secrets briefly, so that not every request looks them up. In memory only. */
export class CredentialCache<T extends object> {
  private readonly cached = new Map<string, Cached<T>>();
  /** Incremented by each clearing: results of earlier look-ups are not cached. */
  private clearings = 0;

  /** @param now monotonic time in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** At once, without a promise, if it is cached. */
  get(secret: string, lookUp: () => Promise<T | undefined>): T | Promise<T | undefined> {
    const cached = this.cached.get(secret);
    return cached && this.now() < cached.staleAt ? cached.value : this.find(secret, lookUp);
  }

  /** Call after any change of a credential. */
  clear(): void {
    this.clearings++;
    this.cached.clear();
  }

  private async find(secret: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    this.cached.delete(secret);
    const { clearings } = this;
    const value = await lookUp();
    if (!value || clearings !== this.clearings) return value;
    if (this.cached.size >= MAX_CACHED) this.cached.delete(this.cached.keys().next().value!);
    this.cached.set(secret, { value, staleAt: this.now() + FRESH_MS });
    return value;
  }
}

/** The part of the event store that notifies of changed credentials. */
interface Appends {
  onAppended(listener: (events: readonly { readonly type: string }[]) => void): unknown;
}

/** A kind of credential: the prefixes of its secrets, and the events after which a cached one may be outdated. */
interface CredentialKind {
  readonly prefixes: readonly string[];
  readonly outdatedBy: readonly string[];
}

/** Recognises the holders of one kind of credential, from memory within half a second. */
export abstract class CachedAuthenticator<
  Known extends object,
  Holder extends Principal,
> implements Authenticator {
  private readonly cache = new CredentialCache<Known>();

  constructor(
    events: Appends,
    private readonly kind: CredentialKind,
  ) {
    events.onAppended((appended) => {
      if (appended.some(({ type }) => kind.outdatedBy.includes(type))) this.invalidate();
    });
  }

  authenticate(secret: string): Holder | undefined | Promise<Holder | undefined> {
    const known = this.known(secret);
    return known instanceof Promise ? known.then((found) => found && this.use(found)) : this.use(known);
  }

  async recordOf(secret: string): Promise<string | undefined> {
    return this.byId(secret, async (id) => this.findRecord?.(id));
  }

  /** The credential of a secret as stored; undefined if the secret is wrong, revoked or expired. */
  protected abstract find(id: string, secret: string): Promise<Known | undefined>;

  /** Id of the stored record, whatever its state. */
  protected findRecord?(id: string): Promise<string | undefined>;

  /** Called for each request, also for a cached credential; undefined if it has expired meanwhile. */
  protected abstract use(known: Known): Holder | undefined | Promise<Holder | undefined>;

  protected known(secret: string): Known | Promise<Known | undefined> {
    return this.cache.get(secret, async () => this.byId(secret, (id) => this.find(id, secret)));
  }

  protected invalidate(): void {
    this.cache.clear();
  }

  private byId<T>(
    secret: string,
    find: (id: string) => Promise<T | undefined>,
  ): Promise<T | undefined> | undefined {
    const parsed = parseCredential(secret);
    return parsed && this.kind.prefixes.includes(parsed.prefix) ? find(parsed.id) : undefined;
  }
}
