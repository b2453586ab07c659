import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import {
  embeddedStores,
  serverStores,
  type EventStoreDbObserver,
  type ServerStores,
  type ServerStoresObserver,
} from '../event-sourcing/index.js';
import type { Clock } from '../kernel/time.js';
import type { Tracing } from '../kernel/tracing.js';
import type { AnyProjection } from '../kernel/projection.js';
import { storeMetrics, serverStoreMetrics, type ServerStoreMetrics } from '../operations/metrics/metrics.js';
import { MemoryRateCounters } from './system/memory-rate-counters.js';
import { SystemClock } from './system/system-clock.js';
import { SystemRandomness } from './system/system-randomness.js';
import { OVER } from './packing.js';
import { retriedFailures } from './retried-failures.js';
import { tracedProjector } from './tracing.js';
import { followedTypesOf } from './types-of-instances.js';

export interface ObservedStoresOptions {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  /** Default: 1. */
  readonly partitions?: number;
  readonly projections: readonly AnyProjection[];
  /** Of archived events; undefined: there is none. */
  readonly archiveDir?: string | undefined;
  readonly serviceClock?: Clock;
  readonly logger: Logger;
  readonly registry: Registry;
  readonly tracing?: Tracing | undefined;
}

export interface ObservedStores extends ServerStores {
  readonly onLeadership: (group: string, leading: boolean) => void;
}

/** @throws UnavailableError while MongoDB does not answer; Error for an unusable URL */
export async function openObservedStores(options: ObservedStoresOptions): Promise<ObservedStores> {
  const { projections, registry, serviceClock, archiveDir } = options;
  const { openServerStores } = await serverStores();
  // Infrastructure uses the system clock, also in tests with a manual clock.
  const clock = new SystemClock();
  let metrics: ServerStoreMetrics | undefined;
  const archive = archiveDir === undefined ? undefined : await openArchive(archiveDir);
  const stores = await openServerStores({
    ...options,
    ...{ archive, over: OVER },
    ...{ types: followedTypesOf(projections), clock, heartbeatClock: serviceClock ?? clock },
    randomness: new SystemRandomness(),
    fallbackCounters: new MemoryRateCounters(clock),
    observe: () => observer(options, (metrics = serverStoreMetrics(registry))),
  });
  return { ...stores, onLeadership: (group, leading) => metrics?.leading(group, leading) };
}

/** Its files have the form of the embedded store's log. */
async function openArchive(folder: string) {
  const { SqliteEventArchive } = await embeddedStores();
  return new SqliteEventArchive(folder);
}

function observer(
  { logger, registry, tracing }: ObservedStoresOptions,
  metrics: ServerStoreMetrics,
): ServerStoresObserver {
  const failures = retriedFailures(logger);
  return {
    ...{
      events: eventStoreLog(logger, metrics),
      appends: storeMetrics(registry),
      projector: tracedProjector(metrics.projector, tracing),
    },
    subscriptionFailed: (error) => failures(error, 'the subscription failed and restarts'),
    subscriptionSilent(of) {
      metrics.interrupted();
      if (of === 'projector')
        logger.warn(
          'the subscription of the projector delivered nothing while the log grew; it starts again',
        );
    },
    projectionFailed: (error) =>
      failures(error, 'projection failed; the read models fall behind until it recovers'),
    mongoReconnected: () => logger.warn('the client of the read store was reconnected'),
  };
}

/** Logs the begin and the end of an outage; metrics count the failures in between. */
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
