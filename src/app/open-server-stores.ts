import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import {
  EventStoreDb,
  type EventStoreDbObserver,
} from '../event-sourcing/servers/eventstoredb/event-store-db.js';
import { MongoHome } from '../event-sourcing/servers/mongodb/mongo-home.js';
import { SystemClock } from './system/system-clock.js';
import { SystemRandomness } from './system/system-randomness.js';
import { MemoryRateCounters } from './system/memory-rate-counters.js';
import type { RateCounters } from '../kernel/rate-counters.js';
import type { AnyProjection } from '../kernel/projection.js';
import type { Position, RecordedEvent } from '../kernel/recorded-event.js';
import type { Milliseconds } from '../kernel/time.js';
import type { Clock } from '../kernel/clock.js';
import type { Stores } from '../event-sourcing/ports/stores.js';
import type { ViewStore } from '../event-sourcing/ports/view-store.port.js';
import type { Rollback } from '../event-sourcing/ports/view-writer.port.js';
import type { FollowedTypes } from '../event-sourcing/servers/cluster/followed-types.js';
import { ProjectedEventStore } from '../event-sourcing/servers/cluster/projected-event-store.js';
import { RemoteViewMaintenance } from '../event-sourcing/servers/cluster/remote-view-maintenance.js';
import { StreamFoldingViews } from '../event-sourcing/servers/cluster/stream-folding-views.js';
import { UnprojectedStreams } from '../event-sourcing/servers/cluster/unprojected-streams.js';
import { ViewProjector } from '../event-sourcing/projections/view-projector.js';
import { followedTypesOf } from './types-of-instances.js';
import { storeMetrics } from '../operations/metrics/metrics.js';
import { serverStoreMetrics, type ServerStoreMetrics } from '../operations/metrics/server-store-metrics.js';
import { streamViews } from './stream-views.js';
import { retriedFailures } from './retried-failures.js';

/** As long as appends are repeated: an election, or a leader that froze. */
const REPEAT_READS_FOR_MS: Milliseconds = 8_000;

export interface ServerStoresOptions {
  /** `esdb://…` */
  readonly eventStoreUrl: string;
  /** `mongodb://…/<database>` */
  readonly mongoUrl: string;
  readonly projections: readonly AnyProjection[];
  /** Clock for heartbeats; default: the system clock. */
  readonly serviceClock?: Clock;
  readonly logger: Logger;
  readonly registry: Registry;
}

/** Stores shared by several instances: events in EventStoreDB, everything else in MongoDB. */
export interface ServerStores extends Stores {
  readonly rateCounters: RateCounters;
  readonly onLeadership: (group: string, leading: boolean) => void;
}

/** @throws UnavailableError while MongoDB does not answer; Error for an unusable URL */
export async function openServerStores(options: ServerStoresOptions): Promise<ServerStores> {
  const { projections, logger, registry } = options;
  // Infrastructure uses the system clock, also in tests with a manual clock.
  const clock = new SystemClock();
  // MongoDB first: a failed open is retried, but metrics can be registered only once.
  const mongo = await openMongo(options, clock);
  const metrics = serverStoreMetrics(registry);
  const remote = openEvents(options, metrics);
  const failures = retriedFailures(logger);
  const attached = new Attached();
  const unprojected = new UnprojectedStreams(mongo.progress);
  attached.toSubscribed.add((head) => unprojected.begin(head));
  const types = followedTypesOf(projections);
  const note = (fresh: readonly RecordedEvent[]) => unprojected.hear(fresh.filter(types.isProjected));
  const events = new ProjectedEventStore(remote, mongo.progress, {
    types,
    heard(fresh) {
      note(fresh);
      attached.heard(fresh);
    },
    begun: (head) => attached.subscribed(head),
    appended: note,
    rolledBack: () => attached.rolledBack(),
    onError: (error) => failures(error, 'the subscription failed and restarts'),
    onSilent: () => metrics.interrupted(),
    clock,
  });
  return {
    ...partsOf(mongo),
    events,
    views: new StreamFoldingViews(mongo.views, remote, streamViews, unprojected),
    maintenance: maintenanceOf(projections, types, { remote, mongo, clock }),
    projector: projectorOf(options, { remote, mongo, clock, metrics, attached, failures }),
    rateCounters: mongo.rateCounters(new MemoryRateCounters(clock)),
    onHeard: (listener) => void attached.toHeard.add(listener),
    recoverWith: (recover) => void (attached.recover = recover),
    onSubscribed: (listener) => void attached.toSubscribed.add(listener),
    onRolledBack: (listener) => void attached.toRolledBack.add(listener),
    onLeadership: (group, leading) => metrics.leading(group, leading),
    async close() {
      await events.close();
      await mongo.close();
    },
  };
}

function openMongo(
  { mongoUrl, serviceClock, logger }: ServerStoresOptions,
  clock: Clock,
): Promise<MongoHome> {
  return MongoHome.open({
    url: mongoUrl,
    clock,
    heartbeatClock: serviceClock ?? clock,
    revived: () => logger.warn('the client of the read store was reconnected'),
  });
}

function maintenanceOf(
  projections: readonly AnyProjection[],
  types: FollowedTypes,
  { remote, mongo, clock }: Pick<ProjectorParts, 'remote' | 'mongo' | 'clock'>,
): RemoteViewMaintenance {
  const views = projections.map(({ view }) => view);
  const surroundings = { clock, randomness: new SystemRandomness() };
  return new RemoteViewMaintenance(remote, mongo.writer, views, surroundings, { types: types.projected });
}

/** What the service attaches to its open stores. */
class Attached {
  readonly toHeard = new Set<(events: readonly RecordedEvent[]) => void>();
  readonly toSubscribed = new Set<(head: Position | undefined) => void>();
  readonly toRolledBack = new Set<() => void>();
  recover: (views: ViewStore, rollback: Rollback) => Promise<void> = () => Promise.resolve();

  heard(events: readonly RecordedEvent[]): void {
    this.toHeard.forEach((listener) => listener(events));
  }

  subscribed(head: Position | undefined): void {
    this.toSubscribed.forEach((listener) => listener(head));
  }

  rolledBack(): void {
    this.toRolledBack.forEach((listener) => listener());
  }
}

interface ProjectorParts {
  readonly remote: EventStoreDb;
  readonly mongo: MongoHome;
  readonly clock: Clock;
  readonly metrics: ServerStoreMetrics;
  readonly attached: Attached;
  readonly failures: ReturnType<typeof retriedFailures>;
}

function projectorOf(
  { projections, logger }: ServerStoresOptions,
  { remote, mongo, clock, metrics, attached, failures }: ProjectorParts,
): ViewProjector {
  return new ViewProjector(remote, mongo.writer, projections, clock, {
    onError: (error) => failures(error, 'projection failed; the read models fall behind until it recovers'),
    onRolledBack: (rollback) => attached.recover(mongo.recoveryViews, rollback),
    onSilent: () => {
      metrics.interrupted();
      logger.warn('the subscription of the projector delivered nothing while the log grew; it starts again');
    },
    metrics: metrics.projector,
  });
}

function partsOf({ contents, liveness, checkpoints, locks, leases }: MongoHome) {
  return { contents, liveness, checkpoints, locks, leases };
}

function openEvents(
  { eventStoreUrl, logger, registry }: ServerStoresOptions,
  metrics: ServerStoreMetrics,
): EventStoreDb {
  return EventStoreDb.open({
    url: eventStoreUrl,
    repeatReadsForMs: REPEAT_READS_FOR_MS,
    metrics: storeMetrics(registry),
    observer: eventStoreLog(logger, metrics),
  });
}

/** One line when an outage begins and one when it ends; what happens in between is counted. */
function eventStoreLog(logger: Logger, metrics: ServerStoreMetrics): EventStoreDbObserver {
  return {
    warned: (message) => logger.warn(message),
    outageBegan: (reason) =>
      logger.warn({ err: reason }, 'the event store does not answer; calls are retried until it does'),
    outageEnded: ({ lastedMs, failedCalls, interruptions, clientsReplaced }) =>
      logger.info(
        {
          lasted_ms: Math.round(lastedMs),
          failed_calls: failedCalls,
          interruptions,
          clients_replaced: clientsReplaced,
        },
        'the event store answers again',
      ),
    interrupted(reason, retryInMs) {
      metrics.interrupted();
      logger.debug({ err: reason, retry_in_ms: Math.round(retryInMs) }, 'the subscription was interrupted');
    },
    dropped() {
      metrics.dropped();
      logger.info(
        'the event store dropped a subscription because of a burst; it continues behind its last event',
      );
    },
    clientReplaced(client, reason) {
      metrics.clientReplaced(client);
      logger.debug({ client, reason }, 'the client of the event store was replaced');
    },
  };
}
