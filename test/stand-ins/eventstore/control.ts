import type { Counters } from './counters.js';
import type { Faults } from './faults.js';
import type { Drop } from './subscription.js';

export interface ServerOptions {
  /** 0 leaves the choice to the system; several members take this one and the following. */
  readonly port: number;
  /** Of the cluster. */
  readonly members: number;
  /** A version of versions.ts. */
  readonly like: string;
  /** Instead of the version's own limit. */
  readonly maxAppendBytes?: number;
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
export type Commands = {
  /** Faults stay until they are set again. */
  set(changes: Partial<Faults>): void;
  /** Ends all faults. */
  clear(): void;
  counters(): Counters;
  /** Puts events into the log past all checks, to be read and delivered like any other. */
  injectAll(events: readonly Injected[]): readonly Stored[];
  /** Replaces text in a stored record by as many bytes, as damage of a disk or a forger does. */
  alter(stream: string, revision: number, from: string, to: string): void;
  /** Answers how many events are gone. */
  scavenge(): number;
  /** Kills all members: connections are refused until they come back. */
  goDown(): void;
  /** All members that are down or frozen come back, as followers if there are several. */
  comeBack(): Promise<void>;
  /** Breaks all connections, forgets what a process keeps in memory only, and listens again on the same port. */
  restart(): Promise<void>;
  /** Ends each open subscription; answers how many there were. */
  dropSubscriptions(how: Drop): number;
  /** Breaks all connections at once and listens on. */
  dropAll(): void;
  /** As of a server that stops in order: open calls end without a status. */
  endCalls(): void;
  /** Commits the write that has waited longest, whatever `commitMs` says. */
  commitNext(): void;
  /** The leader's connections break, and after an election another leads; alone, it leads again. */
  elect(): void;
  /** The leader's process ends; after an election another leads. */
  killLeader(): void;
  /** The leader falls silent; the others notice it after `noticeMs` and elect another. */
  freezeLeader(): void;
  /** Resolves when a member leads that is neither down nor frozen; answers its port. */
  leaderPort(): Promise<number>;
};
