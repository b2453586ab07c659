import { LRUCache } from 'lru-cache';
import { growingTo } from '../kernel/cache-size.js';
import { LivenessStore } from '../event-sourcing/index.js';
import { type Instant, type Milliseconds, plus } from '../kernel/time.js';

/** The time of the last use is written at most so often. */
const NOTED_EVERY: Milliseconds = 60_000;
const NOTED_CREDENTIALS = 20_000;

/** When credentials of one kind were last used, to the minute. */
export class LastUses {
  /** By id: when to note the next use. Apart from the caches of credentials, whose entries live for half a second. */
  private readonly noteAgainAt = new LRUCache<string, Instant>(growingTo(NOTED_CREDENTIALS));

  /** @param kind begins the keys of the liveness store, as in `key:<id>` */
  constructor(
    private readonly liveness: LivenessStore,
    private readonly kind: 'key' | 'partner-credential',
  ) {}

  async note(id: string, now: Instant): Promise<void> {
    const again = this.noteAgainAt.get(id);
    if (again !== undefined && now < again) return;
    this.noteAgainAt.set(id, plus(now, NOTED_EVERY));
    await this.liveness.recordHeartbeat([`${this.kind}:${id}`], now);
  }

  /** In the order of the ids; undefined for one that was never used. */
  of(ids: readonly string[]): Promise<readonly (Instant | undefined)[]> {
    return this.liveness.lastHeartbeats(ids.map((id) => `${this.kind}:${id}`));
  }
}
