import type { Clock, Milliseconds } from '../../kernel/time.js';
import type { AnyProjection } from '../../kernel/projection.js';
import type { Randomness } from '../../kernel/ids.js';
import type { RateCounters } from '../../kernel/rate-counters.js';
import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import type { StoreMetrics } from '../ports/event-store.port.js';
import type { Stores } from '../ports/stores.js';
import type { ViewStore } from '../ports/view-store.port.js';
import type { Rollback } from '../ports/view-writer.port.js';
import { ViewProjector, type ProjectorMetrics } from '../projections/view-projector.js';
import type { FollowedTypes } from './cluster/followed-types.js';
import { ProjectedEventStore } from './cluster/projected-event-store.js';
import { RemoteViewMaintenance } from './cluster/remote-view-maintenance.js';
import { StreamFoldingViews, type StreamView } from './cluster/stream-folding-views.js';
import { UnprojectedStreams } from './cluster/unprojected-streams.js';
import { EventStoreDb, type EventStoreDbObserver } from './eventstoredb/event-store-db.js';
import { MongoStores } from './mongodb/mongo-home.js';

/** As long as appends are repeated: an election, or a frozen leader. */
const REPEAT_READS_FOR_MS: Milliseconds = 8_000;

export interface ServerStoresOptions {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  readonly projections: readonly AnyProjection[];
  /** Their missing documents can be folded from their streams. */
  readonly streamViews: readonly StreamView[];
  readonly types: FollowedTypes;
  readonly clock: Clock;
  readonly heartbeatClock: Clock;
  readonly randomness: Randomness;
  /** Counts while MongoDB does not answer. */
  readonly fallbackCounters: RateCounters;
  readonly observe: () => ServerStoresObserver;
}

/** For operators. Every call is repeated or recovers. */
export interface ServerStoresObserver {
  readonly events: EventStoreDbObserver;
  readonly appends: StoreMetrics;
  readonly projector: ProjectorMetrics;
  subscriptionFailed(error: unknown): void;
  /** A subscription delivered nothing while the log grew; it restarts. */
  subscriptionSilent(of: 'instance' | 'projector'): void;
  projectionFailed(error: unknown): void;
  mongoReconnected(): void;
}

/** Events in EventStoreDB, everything else in MongoDB. */
export interface ServerStores extends Stores {
  readonly rateCounters: RateCounters;
}

/** @throws UnavailableError while MongoDB does not answer; Error for an unusable URL */
export async function openServerStores(options: ServerStoresOptions): Promise<ServerStores> {
  const { projections, clock } = options;
  const reconnected = { listener: (): void => undefined };
  // MongoDB first: a failed open is retried, but the observer can be made only once.
  const mongo = await MongoStores.open({
    ...{ url: options.mongoUrl, clock, heartbeatClock: options.heartbeatClock },
    revived: () => reconnected.listener(),
  });
  const observer = options.observe();
  reconnected.listener = () => observer.mongoReconnected();
  const remote = EventStoreDb.open({
    ...{ url: options.eventStoreUrl, repeatReadsForMs: REPEAT_READS_FOR_MS },
    ...{ metrics: observer.appends, observer: observer.events },
  });
  const listeners = new StoreListeners();
  const unprojected = new UnprojectedStreams(mongo.progress);
  const events = followedEvents(options, { remote, mongo, observer, listeners, unprojected });
  const views = projections.map(({ view }) => view);
  const { contents, liveness, checkpoints, locks, leases } = mongo;
  return {
    ...{ events, contents, liveness, checkpoints, locks, leases },
    views: new StreamFoldingViews(mongo.views, remote, options.streamViews, unprojected),
    maintenance: new RemoteViewMaintenance(remote, mongo.writer, views, options, {
      types: options.types.projected,
    }),
    projector: new ViewProjector(remote, mongo.writer, projections, clock, {
      onError: (error) => observer.projectionFailed(error),
      onRolledBack: (rollback) => listeners.recover(mongo.recoveryViews, rollback),
      onSilent: () => observer.subscriptionSilent('projector'),
      metrics: observer.projector,
    }),
    rateCounters: mongo.rateCounters(options.fallbackCounters),
    onRemoteEvents: (listener) => void listeners.remoteEventListeners.add(listener),
    recoverWith: (recover) => void (listeners.recover = recover),
    onSubscribed: (listener) => void listeners.toSubscribed.add(listener),
    onRolledBack: (listener) => void listeners.toRolledBack.add(listener),
    async close() {
      await events.close();
      await mongo.close();
    },
  };
}

interface Following {
  readonly remote: EventStoreDb;
  readonly mongo: MongoStores;
  readonly observer: ServerStoresObserver;
  readonly listeners: StoreListeners;
  readonly unprojected: UnprojectedStreams;
}

function followedEvents(
  { types, clock }: ServerStoresOptions,
  { remote, mongo, observer, listeners, unprojected }: Following,
): ProjectedEventStore {
  listeners.toSubscribed.add((head) => unprojected.begin(head));
  const note = (fresh: readonly RecordedEvent[]) => unprojected.hear(fresh.filter(types.isProjected));
  return new ProjectedEventStore(remote, mongo.progress, {
    types,
    onRemoteEvents(fresh) {
      note(fresh);
      listeners.remoteEvents(fresh);
    },
    begun: (head) => listeners.subscribed(head),
    appended: note,
    rolledBack: () => listeners.rolledBack(),
    onError: (error) => observer.subscriptionFailed(error),
    onSilent: () => observer.subscriptionSilent('instance'),
    clock,
  });
}

class StoreListeners {
  readonly remoteEventListeners = new Set<(events: readonly RecordedEvent[]) => void>();
  readonly toSubscribed = new Set<(head: Position | undefined) => void>();
  readonly toRolledBack = new Set<() => void>();
  recover: (views: ViewStore, rollback: Rollback) => Promise<void> = () => Promise.resolve();

  remoteEvents(events: readonly RecordedEvent[]): void {
    this.remoteEventListeners.forEach((listener) => listener(events));
  }

  subscribed(head: Position | undefined): void {
    this.toSubscribed.forEach((listener) => listener(head));
  }

  rolledBack(): void {
    this.toRolledBack.forEach((listener) => listener());
  }
}
