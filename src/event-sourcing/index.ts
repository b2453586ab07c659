// The only door of the engine (README.md). The wings and their drivers load on demand.

export const embeddedStores = () => import('./embedded/wing.js');
export const serverStores = () => import('./servers/wing.js');
export type EmbeddedWing = Awaited<ReturnType<typeof embeddedStores>>;

export { ContentStore, type ContentPart } from './ports/content-store.port.js';
export {
  CheckpointStore,
  EventStore,
  type Append,
  type NewEvent,
  type StoreMetrics,
} from './ports/event-store.port.js';
export { HashStore } from './ports/hash-store.port.js';
export { StoredTexts, type StoredText } from './ports/stored-texts.port.js';
export { Locks, type GroupLeases, type SingletonWorker } from './ports/group-leases.port.js';
export { LivenessStore } from './ports/liveness-store.port.js';
export type { PackingRule, ReadingModule, Stores } from './ports/stores.js';
export {
  ViewMaintenance,
  ViewStore,
  type Found,
  type Keyset,
  type ListPage,
  type ListRange,
  type ViewQuery,
  type Where,
} from './ports/view-store.port.js';
export type { Rollback } from './ports/view-writer.port.js';

export {
  aggregate,
  AggregateStore,
  type Aggregate,
  type Audited,
  type Planned,
} from './write/aggregate-store.js';
export { deciderHandlers } from './write/decider-handlers.js';
export { endAll } from './write/end-all.js';
export { PART_BYTES, readChecked, type CheckedContent } from './write/checked-content.js';

export { ANY_OWNER, LogIndex } from './log-index/log-index.js';
export { LogReader } from './log-reader.js';
export { beforeTime, eventPositionIn } from './projections/creation-order.js';
export { documentAt, documentsAt } from './projections/replay.js';
export type { StoredDocument } from './projections/projection-runner.js';
export type { ProjectorMetrics } from './projections/view-projector.js';
export { TimerLoop, type SendDue } from './timers/timer-loop.js';
export { DueTimers } from './timers/due-timers.js';
export { TIMERS_APART, timersProjection, withTimers, type TimedView } from './timers/timers.projection.js';

export { FollowedTypes } from './servers/cluster/followed-types.js';
export { LeaderElection } from './servers/cluster/leader-election.js';
export type { EventStoreDbObserver } from './servers/eventstoredb/event-store-db.js';
export type { ServerStores, ServerStoresObserver } from './servers/open-server-stores.js';

export { copyFile, sumOf, syncFile, syncFolders, type FileSum } from './embedded/files/copied-file.js';
export { makeFolders, readSecretFile, syncFolder, writeSecretFile } from './embedded/files/private-files.js';
export type { OutsideDocument } from './embedded/database-backup.js';
export type { StoredState } from './embedded/stored-state.js';
export { fail, ok, runCheck, warn, type Finding, type HealthCheck } from './ports/findings.js';
