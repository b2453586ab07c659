import type { Collection, Db } from 'mongodb';
import { elapsed, later, type Instant, type Milliseconds } from '../../kernel/time.js';
import { OperationalStore } from '../../ports/operational-store.port.js';
import { CoalescedRun } from './coalesced-run.js';
import { calling, retryUpsert, takenOf } from './mongo-errors.js';

interface Sign {
  /** The key. */
  readonly _id: string;
  readonly at: Instant;
}

interface Recent {
  /** Last sign in this process; seen here before it is written. */
  at: Instant;
  written: Instant;
}

/** Presence is judged in half minutes, and computers ask several times a second: not every request is written. */
const SELDOM = 'computer:';
const SELDOM_MS: Milliseconds = 1_000;
const MOST_RECENT = 20_000;
/** Not a key of anybody. */
const LOSS = '$lost';

/**
 * Signs of life that any instance may judge: written when `beat` resolves. What comes while one write runs goes
 * into the next.
 */
export class MongoOperationalStore extends OperationalStore {
  private readonly signs: Collection<Sign>;
  private waiting = new Map<string, Instant>();
  private readonly writing = new CoalescedRun(() => this.writeWaiting());
  private readonly recent = new Map<string, Recent>();

  constructor(db: Db) {
    super();
    this.signs = db.collection('signs');
  }

  async prepare(): Promise<void> {
    await this.signs.createIndex({ at: 1 });
  }

  /**
   * All signs until now were lost with the database. Who has no sign is judged as if seen at this time:
   * nobody is declared dead before having had the time to give one.
   */
  async noteLoss(at: Instant): Promise<void> {
    await calling(() => this.put([[LOSS, at]]));
  }

  async beat(keys: readonly string[], at: Instant): Promise<void> {
    let some = false;
    for (const key of keys) {
      if (this.isKnown(key, at)) continue;
      this.waiting.set(key, later(at, this.waiting.get(key) ?? at));
      some = true;
    }
    if (some) await this.writing.request();
  }

  async lastBeats(keys: readonly string[]): Promise<readonly (Instant | undefined)[]> {
    if (keys.length === 0) return [];
    const asked = [...new Set(keys)];
    const found = await calling(() => this.signs.find({ _id: { $in: asked } }).toArray());
    const signs = new Map(found.map(({ _id, at }) => [_id, at]));
    return keys.map((key) => {
      const stored = signs.get(key);
      const here = this.recent.get(key)?.at;
      if (stored !== undefined && here !== undefined) return later(stored, here);
      return stored ?? here;
    });
  }

  override async lostAt(): Promise<Instant | undefined> {
    return (await calling(() => this.signs.findOne({ _id: LOSS })))?.at;
  }

  async forget(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.recent.delete(key);
    await calling(() => this.signs.deleteMany({ _id: { $in: [...keys] } }));
  }

  async sweep(before: Instant): Promise<void> {
    for (const [key, { at }] of this.recent) if (at < before) this.recent.delete(key);
    await calling(() => this.signs.deleteMany({ at: { $lt: before } }));
  }

  private isKnown(key: string, at: Instant): boolean {
    const recent = this.recent.get(key);
    if (!recent || elapsed(recent.written, at) >= SELDOM_MS) return false;
    recent.at = later(recent.at, at);
    return true;
  }

  private async writeWaiting(): Promise<void> {
    const beats = [...this.waiting];
    this.waiting = new Map();
    if (beats.length === 0) return;
    await calling(() => this.put(beats));
    if (this.recent.size > MOST_RECENT) this.recent.clear();
    for (const [key, at] of beats) if (key.startsWith(SELDOM)) this.recent.set(key, { at, written: at });
  }

  /** Two instances may insert the same key at once: those are put again, and then they are found. */
  private async put(beats: readonly (readonly [string, Instant])[]): Promise<void> {
    let left = beats.map(([_id, at]) => ({
      updateOne: { filter: { _id }, update: { $max: { at } }, upsert: true },
    }));
    await retryUpsert(async () => {
      try {
        await this.signs.bulkWrite(left, { ordered: false });
      } catch (error) {
        left = takenOf(error).map((index) => left[index]!);
        throw error;
      }
    });
  }
}
