import type { Clock, Milliseconds } from '../../kernel/time.js';
import type { AnyProjection } from '../../kernel/projection.js';
import type { Randomness } from '../../kernel/ids.js';
import type { RateCounters } from '../../kernel/rate-counters.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';
import type { StoreMetrics } from '../ports/event-store.port.js';
import { partitions, type Partition } from '../ports/partitions.js';
import type { EventArchive } from '../ports/event-archive.port.js';
import type { Stores } from '../ports/stores.js';
import { ViewProjector, type ProjectorMetrics } from '../projections/view-projector.js';
import { ArchivedEventStore } from './archive/archived-event-store.js';
import { ArchiveManifest } from './archive/archive-manifest.js';
import { Archiving } from './archive/archiving.js';
import type { FollowedTypes } from './cluster/followed-types.js';
import { ProjectedEventStore } from './cluster/projected-event-store.js';
import { RemoteViewMaintenance } from './cluster/remote-view-maintenance.js';
import { SharedLeases } from './cluster/leader-election.js';
import { StreamFolding, UnprojectedStreams } from './cluster/stream-folding-views.js';
import { EventStoreDb, type EventStoreDbObserver } from './eventstoredb/event-store-db.js';
import { ServerStoredTexts } from './eventstoredb/log-reader.js';
import { MongoStores } from './mongodb/mongo-home.js';
import { MongoViewStore } from './mongodb/mongo-view-store.js';

/** As long as appends are repeated: an election, or a frozen leader. */
const REPEAT_READS_FOR_MS: Milliseconds = 8_000;

export interface ServerStoresOptions {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  /** Of the read models; default: 1. */
  readonly partitions?: number;
  readonly projections: readonly AnyProjection[];
  /** Takes what comes before an event of the types of `over`. */
  readonly archive?: EventArchive | undefined;
  readonly over?: readonly string[];
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
  const { projections, clock, partitions: count = 1 } = options;
  const reconnected = { listener: (): void => undefined };
  // MongoDB first: a failed open is retried, but the observer can be made only once.
  const mongo = await MongoStores.open({
    ...{ url: options.mongoUrl, clock, heartbeatClock: options.heartbeatClock },
    partitions: count,
    revived: () => reconnected.listener(),
  });
  const observer = options.observe();
  reconnected.listener = () => observer.mongoReconnected();
  const { remote, packing } = openEvents(options, observer);
  const unprojected = new UnprojectedStreams(mongo.progress);
  const events = followedEvents(options, { remote, mongo, observer, unprojected });
  let recover: Parameters<NonNullable<Stores['recoverWith']>>[0] = () => Promise.resolve();
  const views = projections.map(({ view }) => view);
  const projectorOf = (partition: Partition) =>
    new ViewProjector(remote, mongo.writers[partition.index]!, projections, clock, {
      onError: (error) => observer.projectionFailed(error),
      onRolledBack: (rollback) => recover(mongo.recoveryViews, rollback),
      onSilent: () => observer.subscriptionSilent('projector'),
      metrics: observer.projector,
      ...(count > 1 && { partition }),
    });
  const projectors = new Map(partitions(count).map((one) => [groupOf(one), projectorOf(one)]));
  const groups = new Set(projectors.keys());
  const { contents, liveness, checkpoints, indexBlocks, hashes, locks } = mongo;
  return {
    ...{ events, contents, liveness, checkpoints, indexBlocks, hashes, locks, projectors },
    leases: count > 1 ? new SharedLeases(mongo.leases, mongo.members, groups, clock) : mongo.leases,
    texts: new ServerStoredTexts(remote),
    ...(packing && { packing }),
    views: new MongoViewStore(mongo.readers, new StreamFolding(remote, projections, unprojected)),
    maintenance: new RemoteViewMaintenance(remote, mongo.writers, views, options, {
      types: options.types.projected,
      heardAfter: (position) => events.heardAfter(position),
    }),
    rateCounters: mongo.rateCounters(options.fallbackCounters),
    recoverWith: (given) => void (recover = given),
    async close() {
      await events.close();
      options.archive?.close();
      await mongo.close();
    },
  };
}

function openEvents(
  { eventStoreUrl, archive, over = [], clock }: ServerStoresOptions,
  observer: ServerStoresObserver,
) {
  const events = EventStoreDb.open({
    ...{ url: eventStoreUrl, repeatReadsForMs: REPEAT_READS_FOR_MS },
    ...{ metrics: observer.appends, observer: observer.events },
  });
  const manifest = new ArchiveManifest(events);
  const remote = new ArchivedEventStore(events, { archive, manifest, over, clock });
  return { remote, packing: archive && new Archiving({ events, archive }) };
}

/** Of the lease of a projector. */
function groupOf({ index, count }: Partition): string {
  return count === 1 ? 'views' : `views-${index + 1}of${count}`;
}

interface Following {
  readonly remote: ArchivedEventStore;
  readonly mongo: MongoStores;
  readonly observer: ServerStoresObserver;
  readonly unprojected: UnprojectedStreams;
}

function followedEvents(
  { types, clock }: ServerStoresOptions,
  { remote, mongo, observer, unprojected }: Following,
): ProjectedEventStore {
  const note = (fresh: readonly RecordedEvent[]) => unprojected.add(fresh.filter(types.isProjected));
  const events = new ProjectedEventStore(remote, mongo.progress, {
    types,
    appended: note,
    onError: (error) => observer.subscriptionFailed(error),
    onSilent: () => observer.subscriptionSilent('instance'),
    clock,
  });
  events.listen({ remoteEvents: note, subscribed: (head) => unprojected.begin(head) });
  return events;
}
