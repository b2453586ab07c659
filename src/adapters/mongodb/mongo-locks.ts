import { ObjectId, type Collection, type Db } from 'mongodb';
import { elapsed, type Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import { UnavailableError } from '../../ports/event-store.port.js';
import { Locks } from '../../ports/locks.port.js';
import { OneAtATime } from '../../runtime/one-at-a-time.js';
import { claim, type Claim } from './claims.js';
import { calling } from './mongo-errors.js';

/** Sections under a lock are short; one that takes longer than this is no longer alone. */
const HELD_MS: Milliseconds = 10_000;
const PATIENCE_MS: Milliseconds = 5_000;
const LONGEST_PAUSE_MS: Milliseconds = 40;
const LEFT_BEHIND_SECONDS = 3_600;

/** In line within this instance, then one lease for all instances. */
export class MongoLocks extends Locks {
  private readonly locks: Collection<Claim>;
  private readonly inLine = new OneAtATime();

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

  run<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.inLine.run(key, async () => {
      const holder = new ObjectId().toHexString();
      await this.take(key, holder);
      try {
        return await work();
      } finally {
        await this.giveBack(key, holder);
      }
    });
  }

  private async take(key: string, holder: string): Promise<void> {
    const began = this.clock.now();
    for (;;) {
      if (await this.tryToTake(key, holder)) return;
      if (elapsed(began, this.clock.now()) >= PATIENCE_MS) {
        throw new UnavailableError(`the lock ${key} is held by others`, 'not_written');
      }
      await this.pause();
    }
  }

  private async tryToTake(key: string, holder: string): Promise<boolean> {
    const claiming = claim(this.locks, key, holder, HELD_MS);
    try {
      return (await calling(() => claiming)).holder === holder;
    } catch (error) {
      // What nobody waits for any more may yet be carried out.
      claiming.then(() => this.giveBack(key, holder)).catch(() => undefined);
      throw error;
    }
  }

  /** A lock that cannot be given back runs out; what was done under it is done. */
  private async giveBack(key: string, holder: string): Promise<void> {
    await calling(() => this.locks.deleteOne({ _id: key, holder })).catch(() => undefined);
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => this.clock.after(1 + Math.random() * LONGEST_PAUSE_MS, resolve));
  }
}
