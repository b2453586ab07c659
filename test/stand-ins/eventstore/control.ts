import type { Counters } from './counters.js';
import type { Faults } from './faults.js';
import type { Drop } from './subscription.js';

export interface ServerOptions {
  readonly maxAppendBytes: number;
  /** Calls open at a time on one connection; more wait. */
  readonly maxConcurrentStreams: number;
  /** Begin the log with events of the system, as a real server does. */
  readonly systemEvents: boolean;
}

/** An event put into the log past all checks. */
export interface Injected {
  readonly stream: string;
  readonly type: string;
  /** Any bytes: they need not be the JSON that the content type promises. */
  readonly data: string | Uint8Array;
  readonly metadata?: string | Uint8Array;
  readonly contentType?: string;
  readonly id?: string;
}

export interface Stored {
  readonly revision: number;
  readonly position: number;
}

/** What the parent may ask of the server process; an answer means that it is in force. */
export interface Commands {
  set(changes: Partial<Faults>): void;
  counters(): Counters;
  inject(events: readonly Injected[]): readonly Stored[];
  goDown(): void;
  listen(): number;
  dropSubscriptions(how: Drop): number;
  dropConnections(): void;
}

export interface Request {
  readonly id: number;
  readonly command: keyof Commands;
  readonly args: unknown[];
}

export type Answer =
  { readonly id: number; readonly result: unknown } | { readonly id: number; readonly error: string };

/** Sent once, when the server listens. */
export interface Ready {
  readonly port: number;
}
