import type { Collection } from 'mongodb';
import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { plus, type Instant, type Milliseconds } from '../../kernel/time.js';
import type { Clock } from '../../ports/clock.port.js';
import { calling, insisting } from './mongo-errors.js';

/** One window of one key; times are those of the server, which all instances share. */
export interface RateCounter {
  readonly _id: string;
  readonly consumed: number;
  readonly ends: Date;
  /** Until the end, at the last count. */
  readonly left_ms: number;
}

export interface RateLimiterOptions {
  readonly keyPrefix: string;
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
  /** Counts in this instance alone while the store cannot be asked. */
  readonly insurance: RateLimiterAbstract;
}

/** A request that only wants to be counted does not wait longer. */
const COUNT_MS: Milliseconds = 500;
/** After a failure the store is not asked for this long: else every request would wait for it to fail again. */
const REST_MS: Milliseconds = 1_000;

/**
 * Fixed windows that all instances count in. The library's own limiter for MongoDB takes each instance's clock, needs
 * a unique index (lost with a dropped database, and then two counters share a key) and may go below zero.
 */
export class MongoRateLimiter extends RateLimiterMemory {
  private restUntil: Instant = '';
  private readonly insurance: RateLimiterAbstract;

  constructor(
    private readonly counters: Collection<RateCounter>,
    private readonly clock: Clock,
    { insurance, ...options }: RateLimiterOptions,
  ) {
    super(options);
    this.insurance = insurance;
  }

  override async consume(key: string | number, points = 1): Promise<RateLimiterRes> {
    const counted = await this.tryToAdd(key, points);
    if (!counted) return this.insurance.consume(key, points);
    if (counted.consumedPoints > this.points) throw counted;
    return counted;
  }

  override async reward(key: string | number, points = 1): Promise<RateLimiterRes> {
    return (await this.tryToAdd(key, -points)) ?? this.insurance.reward(key, points);
  }

  private async tryToAdd(key: string | number, points: number): Promise<RateLimiterRes | undefined> {
    if (this.clock.now() < this.restUntil) return undefined;
    try {
      return await this.add(key, points);
    } catch {
      this.restUntil = plus(this.clock.now(), REST_MS);
      return undefined;
    }
  }

  private async add(key: string | number, points: number): Promise<RateLimiterRes> {
    const _id = this.getKey(key);
    const change = counting(points, this.msDuration);
    const count = () =>
      this.counters.findOneAndUpdate({ _id }, change, { upsert: true, returnDocument: 'after' });
    const { consumed, left_ms } = (await calling(() => insisting(count), COUNT_MS))!;
    const remaining = Math.max(0, this.points - consumed);
    return new RateLimiterRes(remaining, Math.max(0, left_ms), consumed, consumed === points);
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
