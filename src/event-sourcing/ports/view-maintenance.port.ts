import type { Position } from '../../kernel/recorded-event.js';
import type { Milliseconds } from '../../kernel/time.js';

export interface ViewStatus {
  readonly name: string;
  readonly version: number;
  /** Position of the last event the view has seen. */
  readonly position: Position | undefined;
  /** Events the view is behind. */
  readonly lag: number;
}

export interface ViewVerification {
  readonly name: string;
  readonly equal: boolean;
  readonly documents: number;
  readonly live_digest: string;
  readonly replay_digest: string;
}

/** Rebuilding and checking read models against the events. */
export abstract class ViewMaintenance {
  /** Readiness: resolves when read models can be read, however old they are. */
  abstract check(): Promise<void>;
  abstract list(): Promise<readonly ViewStatus[]>;
  /** For how long at least the views have lacked an event of the log; 0 when they lack none. */
  behindMs(): Promise<Milliseconds> {
    return Promise.resolve(0);
  }
  /** Rebuilds the view from all events beside the old one, then switches. */
  abstract rebuild(name: string): Promise<ViewStatus>;
  /** Replays all events into a shadow of every view and compares digests of the documents. */
  abstract verify(): Promise<readonly ViewVerification[]>;
}
