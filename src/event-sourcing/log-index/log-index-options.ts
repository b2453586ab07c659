import type { RecordedEvent } from '../../kernel/recorded-event.js';

export interface LogIndexOptions {
  /** Of its checkpoint: a new name builds the index anew. */
  readonly name: string;
  /** Only such events have owners. */
  readonly isPublic: (event: RecordedEvent) => boolean;
  /** Of the stream of a public event. The same at any time, so it depends on the log alone. */
  readonly ownersOf: (event: RecordedEvent) => Promise<readonly string[]>;
  /** Events that may be removed later are no places to go on from. */
  readonly isLasting?: (event: RecordedEvent) => boolean;
  readonly onError: (error: unknown) => void;
  /** Number of entries that are stored together. An instance holds at most four times as many in memory. */
  readonly storedAt?: number;
}

/** Called with the owners of new entries, and with events that may have them. */
export type Listener = (owners: ReadonlySet<string>, events: readonly RecordedEvent[]) => void;
