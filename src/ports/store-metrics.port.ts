/** Measurements of the event store. */
export interface StoreMetrics {
  /** Duration of an append, from the call to its result. */
  appended(seconds: number): void;
  /** One commit: its number of appends and its duration. */
  committed(appends: number, seconds: number): void;
}

export const noStoreMetrics: StoreMetrics = {
  appended: () => undefined,
  committed: () => undefined,
};
