import { LRUCache } from 'lru-cache';

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
