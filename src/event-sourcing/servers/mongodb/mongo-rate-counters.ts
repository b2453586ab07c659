import type { Collection } from 'mongodb';
import type { Milliseconds, Clock } from '../../../kernel/time.js';
import { RateCounters, type RateWindow } from '../../../kernel/rate-counters.js';
import { batched } from './batched.js';
import { calling, retryUpsert } from './mongo-errors.js';

export interface RateCounter {
  readonly _id: string;
  readonly consumed: number;
  /** Above `consumed` by the points that the last call was refused. */
  readonly wanted: number;
  readonly ends: Date;
  readonly left_ms: number;
}

interface Addition {
  readonly _id: string;
  readonly points: number;
  readonly windowMs: Milliseconds;
  readonly limit: number;
}

/** Maximum delay of a request by counting. */
const COUNT_MS: Milliseconds = 500;
/** Pause after a failure, so that not every request waits for another one. */
const REST_MS: Milliseconds = 1_000;

/** Counts locally while the store is unavailable. */
export class MongoRateCounters extends RateCounters {
  private restUntil: Milliseconds = -Infinity;
  private readonly addBatched = batched<Addition, RateWindow>((additions) => this.addAll(additions));

  constructor(
    private readonly counters: Collection<RateCounter>,
    private readonly clock: Clock,
    private readonly alone: RateCounters,
  ) {
    super();
  }

  async add(key: string, points: number, windowMs: Milliseconds, limit = Infinity): Promise<RateWindow> {
    if (this.clock.monotonic() >= this.restUntil) {
      const addition = { _id: key, points, windowMs, limit };
      try {
        return await (points < 0 ? this.count(addition).then(windowOf) : this.addBatched(addition));
      } catch {
        this.restUntil = this.clock.monotonic() + REST_MS;
      }
    }
    return this.alone.add(key, points, windowMs, limit);
  }

  /** Makes one call per key; each addition counts after the previous ones. */
  private async addAll(additions: readonly Addition[]): Promise<readonly (RateWindow | Error)[]> {
    const sums = new Map<string, Addition>();
    for (const each of additions) {
      sums.set(each._id, { ...each, points: each.points + (sums.get(each._id)?.points ?? 0) });
    }
    const counters = new Map<string, RateCounter | Error>();
    const counts = [...sums.values()].map(async (sum) => {
      counters.set(sum._id, await this.count(sum).catch((error: Error) => error));
    });
    await Promise.all(counts);
    const later = new Map([...sums.values()].map(({ _id, points }) => [_id, points]));
    return additions.map(({ _id, points }) => {
      const counter = counters.get(_id)!;
      if (counter instanceof Error) return counter;
      const others = later.get(_id)! - points;
      later.set(_id, others);
      return windowOf({ ...counter, wanted: counter.wanted - others });
    });
  }

  private async count({ _id, points, windowMs, limit }: Addition): Promise<RateCounter> {
    const change = counting(points, windowMs, limit);
    const count = () =>
      this.counters.findOneAndUpdate({ _id }, change, { upsert: true, returnDocument: 'after' });
    return (await calling(() => retryUpsert(count), COUNT_MS))!;
  }
}

const windowOf = ({ wanted, left_ms }: RateCounter): RateWindow => ({
  consumed: wanted,
  leftMs: Math.max(0, left_ms),
});

function counting(points: number, windowMs: Milliseconds, limit: number) {
  const ended = { $lte: [{ $ifNull: ['$ends', new Date(0)] }, '$$NOW'] };
  const over = points > 0 ? { $or: [ended, { $eq: ['$consumed', 0] }] } : ended;
  return [
    {
      $set: {
        wanted: { $max: [0, { $add: [{ $cond: [over, 0, '$consumed'] }, points] }] },
        ends: { $cond: [over, { $add: ['$$NOW', windowMs] }, '$ends'] },
      },
    },
    {
      $set: {
        consumed: { $min: ['$wanted', limit] },
        left_ms: { $toDouble: { $subtract: ['$ends', '$$NOW'] } },
      },
    },
  ];
}
