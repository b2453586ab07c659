import type { Collection, Db, WriteConcernSettings } from 'mongodb';
import { later, type Clock, type Instant, type Milliseconds } from '../../../kernel/time.js';
import { LivenessStore } from '../../ports/liveness-store.port.js';
import { CoalescedRun } from '../../../async/repeated-run.js';
import { calling } from './mongo-errors.js';
import { upsertRows } from './upserts.js';

interface StoredHeartbeat {
  readonly _id: string;
  readonly at: Instant;
}

/** Every call of an Agent is one, and silence counts after half a minute: all of a second are one write. */
const COMPUTER_PREFIX = 'computer:';
const COMPUTER_WRITE_MS: Milliseconds = 1_000;
/** While MongoDB does not answer, further computers are not noted. */
const MAX_UNWRITTEN = 20_000;
/** No computer or lease has this key. */
const LOSS = '$lost';

/** Heartbeats that arrive during one write go into the next. Those of computers may be lost in a crash. */
export class MongoLivenessStore extends LivenessStore {
  private readonly stored: Collection<StoredHeartbeat>;
  private waiting = new Map<string, Instant>();
  private readonly writing = new CoalescedRun(() => this.writeWaiting());
  private readonly unwritten = new Map<string, Instant>();
  private cancelWrite: (() => void) | undefined;
  private isClosed = false;

  constructor(
    db: Db,
    private readonly clock: Clock,
  ) {
    super();
    this.stored = db.collection('signs');
  }

  /** All heartbeats before `at` were lost, so that every key gets a full timeout from `at`. */
  async noteLoss(at: Instant): Promise<void> {
    await this.put([[LOSS, at]]);
  }

  async recordHeartbeat(keys: readonly string[], at: Instant): Promise<void> {
    let some = false;
    for (const key of keys) {
      if (key.startsWith(COMPUTER_PREFIX)) {
        this.note(key, at);
        continue;
      }
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
      const here = this.unwritten.get(key);
      if (stored !== undefined && here !== undefined) return later(stored, here);
      return stored ?? here;
    });
  }

  override async lostAt(): Promise<Instant | undefined> {
    return (await calling(() => this.stored.findOne({ _id: LOSS })))?.at;
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys) this.unwritten.delete(key);
    await calling(() => this.stored.deleteMany({ _id: { $in: [...keys] } }));
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.cancelWrite?.();
    await this.writeComputers();
  }

  private note(key: string, at: Instant): void {
    const known = this.unwritten.get(key);
    if (known === undefined && this.unwritten.size >= MAX_UNWRITTEN) return;
    this.unwritten.set(key, later(at, known ?? at));
    this.writeSoon();
  }

  private writeSoon(): void {
    if (this.isClosed) return;
    this.cancelWrite ??= this.clock.after(COMPUTER_WRITE_MS, () => void this.writeComputers());
  }

  /** Tried again after a failure. */
  private async writeComputers(): Promise<void> {
    this.cancelWrite = undefined;
    const heartbeats = [...this.unwritten];
    const forget = () => {
      for (const [key, at] of heartbeats) if (this.unwritten.get(key) === at) this.unwritten.delete(key);
    };
    await this.put(heartbeats, { w: 1 }).then(forget, () => this.writeSoon());
  }

  private async writeWaiting(): Promise<void> {
    const heartbeats = [...this.waiting];
    this.waiting = new Map();
    if (heartbeats.length === 0) return;
    await this.put(heartbeats);
  }

  private async put(
    heartbeats: readonly (readonly [string, Instant])[],
    writeConcern?: WriteConcernSettings,
  ): Promise<void> {
    const rows = heartbeats.map(([_id, at]) => ({ _id, at }));
    await upsertRows(this.stored, rows, { ...(writeConcern && { writeConcern }) });
  }
}
