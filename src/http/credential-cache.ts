import { LRUCache } from 'lru-cache';

/** A revoked credential stops working within a second: half of that is for the cache. */
const FRESH_MS = 500;
const MOST = 10_000;

/**
 * Remembers for a moment what a secret stands for, so that a busy client is not looked up at every request. Keyed by
 * the secret itself, in memory alone.
 */
export class CredentialCache<T extends object> {
  private readonly known = new LRUCache<string, T>({ max: MOST, ttl: FRESH_MS });
  /** Grows with every clearing: what was looked up before one is not remembered after it. */
  private clearings = 0;

  async get(secret: string, lookUp: () => Promise<T | undefined>): Promise<T | undefined> {
    const cached = this.known.get(secret);
    if (cached) return cached;
    const { clearings } = this;
    const found = await lookUp();
    if (found && clearings === this.clearings) this.known.set(secret, found);
    return found;
  }

  /** Something about credentials has changed: nothing remembered is trusted any more. */
  clear(): void {
    this.clearings++;
    this.known.clear();
  }
}
