/** Result of one check of `rps doctor`. */
export interface Finding {
  /** `warn`: works, but needs attention. `fail`: the service would not work. */
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly what: string;
  readonly found: string;
}

/** Findings in the order of the checks. */
export type HealthCheck = AsyncIterable<Finding>;
