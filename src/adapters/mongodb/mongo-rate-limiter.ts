import type { Collection } from 'mongodb';
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { plus, type Instant, type Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import { batched } from './batched.js';
import { calling, retryUpsert } from './mongo-errors.js';

/** One window of one key, by the server's clock. */
export interface RateCounter {
  readonly _id: string;
  readonly consumed: number;
  readonly ends: Date;
  /** Milliseconds left at the last count. */
  readonly left_ms: number;
}

export interface RateLimiterOptions {
  readonly keyPrefix: string;
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
  /** Counts in this instance while the store is unavailable. */
  readonly insurance: RateLimiterAbstract;
}

interface Wish {
  readonly _id: string;
  readonly points: number;
}

/** Limit for counting a request. */
const COUNT_MS: Milliseconds = 500;
/** Pause after a failure, so that not every request waits for another one. */
const REST_MS: Milliseconds = 1_000;

/**
 * Fixed windows shared by all instances. The library's limiter for MongoDB uses each instance's clock, needs a unique
 * index (without it, after a dropped database, two counters share a key) and may go below zero.
 */
export class MongoRateLimiter extends RateLimiterMemory {
  private restUntil: Instant = '';
  private readonly insurance: RateLimiterAbstract;
  private readonly add = batched<Wish, RateLimiterRes>((wishes) => this.addAll(wishes));

  constructor(
    private readonly counters: Collection<RateCounter>,
    private readonly clock: Clock,
    { insurance, ...options }: RateLimiterOptions,
  ) {
    super(options);
    this.insurance = insurance;
  }

  override async consume(key: string | number, points = 1): Promise<RateLimiterRes> {
    const counted = await this.tried(() => this.add({ _id: this.getKey(key), points }));
    if (!counted) return this.insurance.consume(key, points);
    if (counted.consumedPoints > this.points) throw counted;
    return counted;
  }

  override async reward(key: string | number, points = 1): Promise<RateLimiterRes> {
    const counted = await this.tried(async () =>
      this.resultOf(await this.count(this.getKey(key), -points), points, 0),
    );
    return counted ?? this.insurance.reward(key, points);
  }

  private async tried(call: () => Promise<RateLimiterRes>): Promise<RateLimiterRes | undefined> {
    if (this.clock.now() < this.restUntil) return undefined;
    try {
      return await call();
    } catch {
      this.restUntil = plus(this.clock.now(), REST_MS);
      return undefined;
    }
  }

  /** Makes one call per key; each request counts after the previous ones. */
  private async addAll(wishes: readonly Wish[]): Promise<readonly (RateLimiterRes | Error)[]> {
    const sums = new Map<string, number>();
    for (const { _id, points } of wishes) sums.set(_id, (sums.get(_id) ?? 0) + points);
    const counters = new Map<string, RateCounter | Error>();
    const counts = [...sums].map(async ([_id, points]) => {
      counters.set(_id, await this.count(_id, points).catch((error: Error) => error));
    });
    await Promise.all(counts);
    return wishes.map(({ _id, points }) => {
      const counter = counters.get(_id)!;
      if (counter instanceof Error) return counter;
      const later = sums.get(_id)! - points;
      sums.set(_id, later);
      return this.resultOf(counter, points, later);
    });
  }

  private async count(_id: string, points: number): Promise<RateCounter> {
    const change = counting(points, this.msDuration);
    const count = () =>
      this.counters.findOneAndUpdate({ _id }, change, { upsert: true, returnDocument: 'after' });
    return (await calling(() => retryUpsert(count), COUNT_MS))!;
  }

  /** Result after these points, before the `later` points of the same call. */
  private resultOf({ consumed, left_ms }: RateCounter, points: number, later: number): RateLimiterRes {
    const own = consumed - later;
    const remaining = Math.max(0, this.points - own);
    return new RateLimiterRes(remaining, Math.max(0, left_ms), own, own === points);
  }
}

function counting(points: number, windowMs: Milliseconds) {
  const over = { $lte: [{ $ifNull: ['$ends', new Date(0)] }, '$$NOW'] };
  return [
    {
      $set: {
        consumed: { $max: [0, { $add: [{ $cond: [over, 0, '$consumed'] }, points] }] },
        ends: { $cond: [over, { $add: ['$$NOW', windowMs] }, '$ends'] },
      },
    },
    { $set: { left_ms: { $toDouble: { $subtract: ['$ends', '$$NOW'] } } } },
  ];
}
