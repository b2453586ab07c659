import type { Collection, Db } from 'mongodb';
import { elapsed, later, type Instant, type Milliseconds } from '../../../kernel/time.js';
import { LivenessStore } from '../../ports/liveness-store.port.js';
import { CoalescedRun } from '../../../async/repeated-run.js';
import { bulksOf } from './bulks.js';
import { calling, LONG_CALL, retryUpsert, takenOf } from './mongo-errors.js';

interface StoredHeartbeat {
  readonly _id: string;
  readonly at: Instant;
}

interface Recent {
  /** Possibly not yet written. */
  at: Instant;
  written: Instant;
}

/** Online status changes after half a minute, so one write a second is enough for frequent polls. */
const COMPUTER_PREFIX = 'computer:';
const COMPUTER_WRITE_MS: Milliseconds = 1_000;
const MAX_CACHED = 20_000;
/** No computer or lease has this key. */
const LOSS = '$lost';

/** Heartbeats that arrive during one write go into the next. */
export class MongoLivenessStore extends LivenessStore {
  private readonly stored: Collection<StoredHeartbeat>;
  private waiting = new Map<string, Instant>();
  private readonly writing = new CoalescedRun(() => this.writeWaiting());
  private readonly recent = new Map<string, Recent>();

  constructor(db: Db) {
    super();
    this.stored = db.collection('signs');
  }

  async prepare(): Promise<void> {
    await this.stored.createIndex({ at: 1 }, LONG_CALL);
  }

  /** All heartbeats before `at` were lost, so that every key gets a full timeout from `at`. */
  async noteLoss(at: Instant): Promise<void> {
    await this.put([[LOSS, at]]);
  }

  async recordHeartbeat(keys: readonly string[], at: Instant): Promise<void> {
    let some = false;
    for (const key of keys) {
      if (this.isCoalesced(key, at)) continue;
      this.waiting.set(key, later(at, this.waiting.get(key) ?? at));
      some = true;
    }
    if (some) await this.writing.request();
  }

  async lastHeartbeats(keys: readonly string[]): Promise<readonly (Instant | undefined)[]> {
    if (keys.length === 0) return [];
    const asked = [...new Set(keys)];
    const found = await calling(() => this.stored.find({ _id: { $in: asked } }).toArray());
    const byKey = new Map(found.map(({ _id, at }) => [_id, at]));
    return keys.map((key) => {
      const stored = byKey.get(key);
      const here = this.recent.get(key)?.at;
      if (stored !== undefined && here !== undefined) return later(stored, here);
      return stored ?? here;
    });
  }

  override async lostAt(): Promise<Instant | undefined> {
    return (await calling(() => this.stored.findOne({ _id: LOSS })))?.at;
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.recent.delete(key);
    await calling(() => this.stored.deleteMany({ _id: { $in: [...keys] } }));
  }

  async sweep(before: Instant): Promise<void> {
    for (const [key, { at }] of this.recent) if (at < before) this.recent.delete(key);
    await calling(() => this.stored.deleteMany({ at: { $lt: before } }));
  }

  private isCoalesced(key: string, at: Instant): boolean {
    const recent = this.recent.get(key);
    if (!recent || elapsed(recent.written, at) >= COMPUTER_WRITE_MS) return false;
    recent.at = later(recent.at, at);
    return true;
  }

  private async writeWaiting(): Promise<void> {
    const heartbeats = [...this.waiting];
    this.waiting = new Map();
    if (heartbeats.length === 0) return;
    await this.put(heartbeats);
    if (this.recent.size > MAX_CACHED) this.recent.clear();
    for (const [key, at] of heartbeats)
      if (key.startsWith(COMPUTER_PREFIX)) this.recent.set(key, { at, written: at });
  }

  private async put(heartbeats: readonly (readonly [string, Instant])[]): Promise<void> {
    for (const bulk of bulksOf(heartbeats.map(([_id, at]) => ({ _id, at }))))
      await calling(() => this.putBulk(bulk));
  }

  /** Retries keys that another instance inserted at the same moment; the retry updates them. */
  private async putBulk(bulk: readonly StoredHeartbeat[]): Promise<void> {
    let left = bulk.map(({ _id, at }) => ({
      updateOne: { filter: { _id }, update: { $max: { at } }, upsert: true },
    }));
    await retryUpsert(async () => {
      try {
        await this.stored.bulkWrite(left, { ordered: false });
      } catch (error) {
        left = takenOf(error).map((index) => left[index]!);
        throw error;
      }
    });
  }
}
