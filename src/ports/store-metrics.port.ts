/** What the event store has to tell about its speed. */
export interface StoreMetrics {
  /** From asking for an append to its answer. */
  appended(seconds: number): void;
  /** One commit: how many appends it carried and how long it took. */
  committed(appends: number, seconds: number): void;
}

export const noStoreMetrics: StoreMetrics = {
  appended: () => undefined,
  committed: () => undefined,
};
