import type { Counted } from './counters.js';
import type { EventLog } from './event-log.js';
import type { FaultSwitches } from './faults.js';
import type { Subscription } from './subscription.js';

/** What the services of one server share; outlives a restart, as a disk would. */
export interface NodeState {
  readonly log: EventLog;
  readonly faults: FaultSwitches;
  readonly counted: Counted;
  readonly subscriptions: Set<Subscription>;
  /** Bytes of one append. source: ClusterVNodeOptions.MaxAppendSize, 1 MiB up to v25.0 */
  readonly maxAppendBytes: number;
}
