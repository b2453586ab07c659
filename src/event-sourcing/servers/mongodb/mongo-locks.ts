import { ObjectId, type Collection, type Db } from 'mongodb';
import { elapsed, plus, type Instant, type Milliseconds, type Clock } from '../../../kernel/time.js';
import { Locks } from '../../ports/group-leases.port.js';
import { KeyedMutex } from '../../../async/keyed-mutex.js';
import { renewLease, takeLease, type LeaseDocument } from './lease-documents.js';
import { CALL_MS, calling, LONG_CALL } from './mongo-errors.js';
import { UnavailableError } from '../../../kernel/errors.js';

/** Work under a lock is short; after this time another holder may take the lock. */
const HELD_MS: Milliseconds = 10_000;
const WAIT_MS: Milliseconds = 4_500;
const LONGEST_PAUSE_MS: Milliseconds = 40;
/** Local waiters reuse one lease for up to this long, then yield to other instances. */
const REUSE_MS: Milliseconds = 200;
/** Longer than the pause between two tries, so that another instance finds the lock free. */
const YIELD_MS: Milliseconds = LONGEST_PAUSE_MS + 20;
const EXPIRED_LOCK_SECONDS = 3_600;

const RENEW_MS: Milliseconds = 3_000;

interface HeldLease {
  readonly holder: string;
  readonly epoch: number;
  readonly since: Instant;
  /** Certainly held until then: counted from before the request, and moved by each renewal. */
  until: Instant;
}

interface Queue {
  waiting: number;
  lease: HeldLease | undefined;
}

/** A mutex within this instance, under one lease among all instances. */
export class MongoLocks extends Locks {
  private readonly locks: Collection<LeaseDocument>;
  private readonly mutex = new KeyedMutex();
  private readonly lines = new Map<string, Queue>();

  constructor(
    db: Db,
    private readonly clock: Clock,
  ) {
    super();
    this.locks = db.collection('locks');
  }

  /** Removes the locks of crashed instances after an hour. */
  async prepare(): Promise<void> {
    await this.locks.createIndex({ until: 1 }, { ...LONG_CALL, expireAfterSeconds: EXPIRED_LOCK_SECONDS });
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const asked = this.clock.now();
    const line = this.lines.get(key) ?? { waiting: 0, lease: undefined };
    this.lines.set(key, line);
    line.waiting++;
    return this.mutex.run(key, async () => {
      try {
        line.lease ??= await this.lease(key, asked);
        return await this.underLease(key, line.lease, work);
      } finally {
        line.waiting--;
        await this.leave(key, line);
      }
    });
  }

  /** @throws UnavailableError after the work if another instance may have run at the same time */
  private async underLease<T>(key: string, lease: HeldLease, work: () => Promise<T>): Promise<T> {
    const stop = this.renewing(key, lease);
    let result: T;
    try {
      result = await work();
    } finally {
      await stop();
    }
    if (this.isLost(lease)) throw new UnavailableError(`the lock ${key} was lost during the work`);
    return result;
  }

  /** The returned function stops renewing and waits for a pending renewal. */
  private renewing(key: string, lease: HeldLease): () => Promise<void> {
    let isStopped = false;
    let renewal = Promise.resolve();
    let cancel = () => {};
    const next = () => {
      if (!isStopped)
        cancel = this.clock.after(RENEW_MS, () => void (renewal = this.renew(key, lease).then(next)));
    };
    next();
    return () => {
      isStopped = true;
      cancel();
      return renewal;
    };
  }

  private async renew(key: string, lease: HeldLease): Promise<void> {
    const asked = this.clock.now();
    const renewing = calling(() => renewLease(this.locks, { _id: key, ...lease }, HELD_MS));
    const isOurs = await renewing.catch(() => undefined);
    if (isOurs !== undefined) lease.until = isOurs ? plus(asked, HELD_MS) : asked;
  }

  private isLost({ until }: HeldLease): boolean {
    return this.clock.now() >= until;
  }

  private async lease(key: string, asked: Instant): Promise<HeldLease> {
    const holder = new ObjectId().toHexString();
    for (;;) {
      const since = this.clock.now();
      const left = WAIT_MS - elapsed(asked, since);
      if (left <= 0) throw new UnavailableError(`the lock ${key} is held by another instance`, 'not_written');
      const taken = await this.tryToTake(key, holder, Math.min(left, CALL_MS));
      if (taken) return { holder, epoch: taken.epoch, since, until: plus(since, HELD_MS) };
      await this.pause(1 + Math.random() * (LONGEST_PAUSE_MS - 1));
    }
  }

  private async tryToTake(key: string, holder: string, ms: Milliseconds): Promise<LeaseDocument | undefined> {
    const taking = takeLease(this.locks, key, holder, HELD_MS);
    try {
      const held = await calling(() => taking, ms);
      return held.holder === holder ? held : undefined;
    } catch (error) {
      // The server may still take the lease after the timeout.
      taking.then(() => this.release(key, holder)).catch(() => undefined);
      throw error;
    }
  }

  private async leave(key: string, line: Queue): Promise<void> {
    const { lease, waiting } = line;
    if (waiting === 0) this.lines.delete(key);
    if (!lease) return;
    const isReused = waiting > 0 && elapsed(lease.since, this.clock.now()) < REUSE_MS && !this.isLost(lease);
    if (isReused) return;
    line.lease = undefined;
    await this.release(key, lease.holder);
    if (waiting > 0) await this.pause(YIELD_MS);
  }

  /** A lock that cannot be released expires. */
  private async release(key: string, holder: string): Promise<void> {
    await calling(() => this.locks.deleteOne({ _id: key, holder })).catch(() => undefined);
  }

  private pause(ms: Milliseconds): Promise<void> {
    return new Promise((resolve) => this.clock.after(ms, resolve));
  }
}
