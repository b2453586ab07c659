import type { AnyProjection } from '../../kernel/projection.js';
import type { Stores } from '../../ports/stores.js';
import { InProcessLocks } from '../system/in-process-locks.js';
import { MemoryCheckpointStore } from './memory-checkpoint-store.js';
import { MemoryContentStore } from './memory-content-store.js';
import { MemoryEventStore } from './memory-event-store.js';
import { MemoryLivenessStore } from './memory-liveness-store.js';
import { MemoryTimerStore } from './memory-timer-store.js';
import { MemoryViewMaintenance } from './memory-view-maintenance.js';
import { MemoryViewStore } from './memory-view-store.js';
import { MemoryViews } from './memory-views.js';

/** Everything in memory, gone with the process: for tests. */
export function openMemoryStores(options: { projections: readonly AnyProjection[] }): Stores {
  const tables = new MemoryViews(options.projections);
  const events = new MemoryEventStore((fresh) => tables.project(fresh));
  return {
    events,
    views: new MemoryViewStore(tables),
    timers: new MemoryTimerStore(tables),
    contents: new MemoryContentStore(),
    liveness: new MemoryLivenessStore(),
    checkpoints: new MemoryCheckpointStore(),
    maintenance: new MemoryViewMaintenance(events, tables),
    locks: new InProcessLocks(),
    close: () => events.close(),
  };
}
