import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { growingTo } from '../kernel/cache-size.js';
import { LivenessStore } from '../event-sourcing/index.js';
import { type Instant, type Milliseconds, plus } from '../kernel/time.js';

/** The time of the last use is written at most so often. */
const NOTED_EVERY: Milliseconds = 60_000;
const NOTED_CREDENTIALS = 20_000;

/** Begins the keys of the liveness store, as in `key:<id>`. */
type CredentialKind = 'key' | 'partner-credential';

/** When credentials were last used, to the minute. */
@Injectable()
export class LastUses {
  /** When to note the next use. Apart from the caches of credentials, whose entries live for half a second. */
  private readonly noteAgainAt = new LRUCache<string, Instant>(growingTo(NOTED_CREDENTIALS));

  constructor(private readonly liveness: LivenessStore) {}

  async note(kind: CredentialKind, id: string, now: Instant): Promise<void> {
    const key = `${kind}:${id}`;
    const again = this.noteAgainAt.get(key);
    if (again !== undefined && now < again) return;
    this.noteAgainAt.set(key, plus(now, NOTED_EVERY));
    await this.liveness.recordHeartbeat([key], now);
  }

  /** In the order of the ids; undefined for one that was never used. */
  of(kind: CredentialKind, ids: readonly string[]): Promise<readonly (Instant | undefined)[]> {
    return this.liveness.lastHeartbeats(ids.map((id) => `${kind}:${id}`));
  }
}
