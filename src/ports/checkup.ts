/** One thing that was looked at before anything depends on it. */
export interface Finding {
  /** `warn`: it works, and should be thought about. `fail`: the service would not. */
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly found: string;
}

/** Findings as they are made. */
export type Checkup = AsyncIterable<Finding>;
