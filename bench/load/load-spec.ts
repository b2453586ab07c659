/** One request of a load, sent repeatedly. */
export interface RequestSpec {
  readonly method: string;
  /** Path from the origin: `/v1/…`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sends a new Idempotency-Key each time. */
  readonly freshKey?: boolean;
  /** Puts a new key in the place of each `KEY_PLACE` of the body. */
  readonly freshKeys?: boolean;
}

/** As long as a key, so that the length of the body is known before. */
export const KEY_PLACE = '{{key-of-a-job-in-the-body}}';

export interface LoadSpec {
  /** `http://host:port/v1` */
  readonly url: string;
  readonly connections: number;
  /** Sent in turn. */
  readonly requests: readonly RequestSpec[];
  /** Ends after this many seconds … */
  readonly seconds?: number;
  /** … or after this many requests. */
  readonly count?: number;
  /** Fixed rate instead of the maximum rate. */
  readonly perSecond?: number;
}

export interface LoadResult {
  readonly count: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** CPU-seconds used by the generator. */
  readonly cpu: number;
}
