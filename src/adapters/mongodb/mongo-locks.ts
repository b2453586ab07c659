import { ObjectId, type Collection, type Db } from 'mongodb';
import { elapsed, type Instant, type Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import { UnavailableError } from '../../ports/event-store.port.js';
import { Locks } from '../../ports/locks.port.js';
import { OneAtATime } from '../../runtime/one-at-a-time.js';
import { claim, type Claim } from './claims.js';
import { CALL_MS, calling } from './mongo-errors.js';

/** Sections under a lock are short; one that takes longer than this is no longer alone. */
const HELD_MS: Milliseconds = 10_000;
const PATIENCE_MS: Milliseconds = 4_500;
const LONGEST_PAUSE_MS: Milliseconds = 40;
/** So long those in line here follow one another under one lease; then other instances get their turn. */
const TURN_MS: Milliseconds = 200;
/** Longer than others pause between two looks: whoever waits elsewhere finds the lock free. */
const YIELD_MS: Milliseconds = LONGEST_PAUSE_MS + 20;
const LEFT_BEHIND_SECONDS = 3_600;

/** Who is in line in this instance for one key. */
interface Line {
  waiting: number;
  lease: { readonly holder: string; readonly since: Instant } | undefined;
}

/** In line within this instance, then one lease for all instances. */
export class MongoLocks extends Locks {
  private readonly locks: Collection<Claim>;
  private readonly inLine = new OneAtATime();
  private readonly lines = new Map<string, Line>();

  constructor(
    db: Db,
    private readonly clock: Clock,
  ) {
    super();
    this.locks = db.collection('locks');
  }

  /** Locks of instances that died go some time later. */
  async prepare(): Promise<void> {
    await this.locks.createIndex({ until: 1 }, { expireAfterSeconds: LEFT_BEHIND_SECONDS });
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const asked = this.clock.now();
    const line = this.lines.get(key) ?? { waiting: 0, lease: undefined };
    this.lines.set(key, line);
    line.waiting++;
    return this.inLine.run(key, async () => {
      try {
        line.lease ??= await this.lease(key, asked);
        return await work();
      } finally {
        line.waiting--;
        await this.endTurn(key, line);
      }
    });
  }

  private async lease(key: string, asked: Instant): Promise<Line['lease']> {
    const holder = new ObjectId().toHexString();
    for (;;) {
      const since = this.clock.now();
      const left = PATIENCE_MS - elapsed(asked, since);
      if (left <= 0) throw new UnavailableError(`the lock ${key} is held by others`, 'not_written');
      if (await this.tryToTake(key, holder, Math.min(left, CALL_MS))) return { holder, since };
      await this.pause(1 + Math.random() * (LONGEST_PAUSE_MS - 1));
    }
  }

  private async tryToTake(key: string, holder: string, ms: Milliseconds): Promise<boolean> {
    const claiming = claim(this.locks, key, holder, HELD_MS);
    try {
      return (await calling(() => claiming, ms)).holder === holder;
    } catch (error) {
      // What nobody waits for any more may yet be carried out.
      claiming.then(() => this.giveBack(key, holder)).catch(() => undefined);
      throw error;
    }
  }

  private async endTurn(key: string, line: Line): Promise<void> {
    const { lease, waiting } = line;
    if (waiting === 0) this.lines.delete(key);
    if (!lease || (waiting > 0 && elapsed(lease.since, this.clock.now()) < TURN_MS)) return;
    line.lease = undefined;
    await this.giveBack(key, lease.holder);
    if (waiting > 0) await this.pause(YIELD_MS);
  }

  /** A lock that cannot be given back runs out; what was done under it is done. */
  private async giveBack(key: string, holder: string): Promise<void> {
    await calling(() => this.locks.deleteOne({ _id: key, holder })).catch(() => undefined);
  }

  private pause(ms: Milliseconds): Promise<void> {
    return new Promise((resolve) => this.clock.after(ms, resolve));
  }
}
