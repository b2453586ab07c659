import type { Counted } from './counters.js';
import type { EventLog } from './event-log.js';
import type { FaultSwitches } from './faults.js';
import type { Subscription } from './subscription.js';
import type { Version } from './versions.js';

export interface EndPoint {
  readonly host: string;
  readonly port: number;
}

/** A follower knows its leader, which may be dead. */
export type Standing = 'leader' | 'electing' | EndPoint;

/** What the services of one server share; outlives a restart, as a disk would. */
export interface NodeState {
  /** That of the whole cluster. */
  readonly log: EventLog;
  readonly faults: FaultSwitches;
  readonly counted: Counted;
  readonly subscriptions: Set<Subscription>;
  readonly version: Version;
  standing: Standing;
}
