/** What happened since the start, and what is open now. */
export interface Counters {
  /** Whatever came of them. */
  appendsReceived: number;
  readsReceived: number;
  /** Reads of `$all` backwards among them: how long the log is. */
  headReads: number;
  featuresCalls: number;
  gossipCalls: number;
  /** Reads that are not subscriptions and have neither ended nor been cancelled: these take a place on the connection. */
  openReads: number;
  openSubscriptions: number;
  /** Calls held by a `hang` switch. */
  hanging: number;
  /** Events in the log, those of the system too. */
  events: number;
}

export type Counted = Omit<Counters, 'hanging' | 'events'>;

export const nothingCounted = (): Counted => ({
  appendsReceived: 0,
  readsReceived: 0,
  headReads: 0,
  featuresCalls: 0,
  gossipCalls: 0,
  openReads: 0,
  openSubscriptions: 0,
});
