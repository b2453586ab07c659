import { LRUCache } from 'lru-cache';
import { parseCredential } from '../kernel/credential.js';
import type { Actor } from '../kernel/recorded-event.js';
import type { ApiError, ErrorCode, RefusalKind } from './errors/api-error.js';
import type { OperationSpec } from './operation.js';
import type { CallerKind } from './surface.js';

/** Never holds the secret. */
export interface Principal {
  readonly kind: Actor['kind'];
  /** What operations take it for, if not its kind as an actor. */
  readonly callsAs?: CallerKind;
  readonly credentialId: string;
  /** Actor of its events, if not the credential: the person of a session. */
  readonly actorId?: string;
  readonly scopes: ReadonlySet<string>;
  readonly accountId?: string;
  readonly partnerId?: string;
  /** Checked again after a long request. */
  readonly isStillValid?: () => Promise<boolean>;
}

/** Undefined if unknown, malformed, revoked or expired. */
export interface Authenticator {
  authenticate(secret: string): Promise<Principal | undefined>;
  /** Record named by a refused secret, even a wrong one. Called when an address exceeds its limit. */
  recordOf?(secret: string): Promise<string | undefined>;
  /** From this process's cache only. */
  peekCached?(secret: string): Principal | undefined;
}

/** Refuses a valid request: suspended account, switched-off environment. */
export type Admission = (
  principal: Principal,
  operation: OperationSpec,
) => ApiError | ErrorCode | RefusalKind | undefined | Promise<ApiError | ErrorCode | RefusalKind | undefined>;

export type SessionAuthentication = (secret: string) => Promise<Principal | undefined>;

/** Header with the id of the account that an operator acts in. */
export const ACCOUNT_HEADER = 'x-svc-account';

/** Undefined unless an operator holds the secret and the account is open. */
export type AuthenticationInAccount = (secret: string, accountId: string) => Promise<Principal | undefined>;

interface SurfaceAccess {
  readonly authenticator?: Authenticator;
  /** Of a request that names an account, before `authenticator`. */
  readonly inAccount?: AuthenticationInAccount;
  readonly session?: SessionAuthentication | undefined;
  readonly admission?: Admission;
}

export type Access = Readonly<Record<string, SurfaceAccess>>;

export const ACCESS = Symbol('access of each surface');

/** A revoked credential must stop working within a second; the cache may use half of that. */
const FRESH_MS = 500;
const MAX_CACHED = 10_000;

export class CredentialCache<T extends object> {
  private readonly cached: LRUCache<string, T>;
  /** Incremented by each clearing: results of earlier look-ups are not cached. */
  private clearings = 0;

  constructor(now: () => number = () => performance.now()) {
    this.cached = new LRUCache({ max: MAX_CACHED, ttl: FRESH_MS, ttlResolution: 0, perf: { now } });
  }

  /** Without a promise if cached. */
  get(secret: string, lookUp: () => Promise<T | undefined>): T | Promise<T | undefined> {
    return this.cached.get(secret) ?? this.find(secret, lookUp);
  }

  /** Call after any change of a credential. */
  clear(): void {
    this.clearings++;
    this.cached.clear();
  }

  private async find(secret: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    const { clearings } = this;
    const value = await lookUp();
    if (value && clearings === this.clearings) this.cached.set(secret, value);
    return value;
  }
}

interface Changes {
  listen(listener: { readonly types: ReadonlySet<string>; appended(): void; rolledBack(): void }): unknown;
}

/** `changedBy` lists events after which a cached credential may be outdated. */
interface CredentialKind {
  readonly prefixes: readonly string[];
  readonly outdatedBy: readonly string[];
}

export abstract class CachedAuthenticator<
  Known extends object,
  Holder extends Principal,
> implements Authenticator {
  private readonly cache = new CredentialCache<Known>();

  constructor(
    events: Changes,
    private readonly kind: CredentialKind,
  ) {
    const invalidate = () => this.invalidate();
    events.listen({ types: new Set(kind.outdatedBy), appended: invalidate, rolledBack: invalidate });
  }

  async authenticate(secret: string): Promise<Holder | undefined> {
    const known = await this.known(secret);
    return known && this.use(known);
  }

  async recordOf(secret: string): Promise<string | undefined> {
    return this.byId(secret, async (id) => this.findRecord?.(id));
  }

  /** Undefined if the secret is wrong, revoked or expired. */
  protected abstract find(id: string, secret: string): Promise<Known | undefined>;

  protected findRecord?(id: string): Promise<string | undefined>;

  /** Called for each request, also if cached; undefined if it has expired meanwhile. */
  protected abstract use(known: Known): Promise<Holder | undefined>;

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
