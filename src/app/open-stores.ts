import { accessSync, constants, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { SystemClock } from './system/system-clock.js';
import type { RateCounters } from '../kernel/rate-counters.js';
import { SystemRandomness } from './system/system-randomness.js';
import { ConfigError, type Config } from '../config.js';
import type { Milliseconds } from '../kernel/time.js';
import type { Tracing } from '../kernel/tracing.js';
import { Deadline } from '../async/deadline.js';
import { isUnavailable, retry } from '../async/retry.js';
import { masterKeyFor } from './master-key.js';
import { storeMetrics } from '../operations/metrics/metrics.js';
import { openObservedStores } from './server-stores.js';
import { projectionsFor } from './projections.js';
import { whenAborted } from '../async/pauses.js';
import { tracedAppends } from './tracing.js';
import { keyCheckOf, refuseUsedFolder } from './used-folder.js';
import { messageOf, NoArchiveError, UnavailableError } from '../kernel/errors.js';
import { embeddedStores, makeFolders, serverStores, type Stores } from '../event-sourcing/index.js';

export interface Opened {
  readonly storage: 'embedded' | 'servers';
  readonly stores: Stores;
  readonly rateCounters?: RateCounters;
  readonly onLeadership?: (group: string, leading: boolean) => void;
}

export interface OpeningOptions {
  readonly logger: Logger;
  readonly registry: Registry;
  readonly onFatal: (error: Error) => void;
  readonly stop: AbortSignal;
  readonly tracing?: Tracing | undefined;
}

/** Servers may start at the same time as the service. */
const WAIT_FOR_SERVERS_MS: Milliseconds = 60_000;
const RETRY_MS: Milliseconds = 500;

/** @throws DataDirLockedError; ConfigError for an unusable URL; UnavailableError */
export async function openStores(config: Config, options: OpeningOptions): Promise<Opened> {
  const { eventStoreUrl, mongoUrl, projectorPartitions, archiveDir } = config;
  if (eventStoreUrl === undefined || mongoUrl === undefined) {
    return { storage: 'embedded', stores: await openEmbedded(config, options) };
  }
  const { logger, registry, tracing } = options;
  const urls = { eventStoreUrl, mongoUrl, partitions: projectorPartitions, archiveDir };
  const projections = projectionsFor(config);
  const { parseConnectionString } = await serverStores();
  await configured('EVENTSTORE_URL', async () => parseConnectionString(eventStoreUrl));
  const stores = await configured('MONGODB_URL', () =>
    waitForServers(options, () => openObservedStores({ ...urls, projections, logger, registry, tracing })),
  );
  try {
    await configured('EVENTSTORE_URL', () => waitForServers(options, () => stores.events.check()));
  } catch (error) {
    // `close` waits for pending calls, which a shutdown must not.
    await Promise.race([whenAborted(options.stop), stores.close()]);
    throw error;
  }
  return { storage: 'servers', stores, rateCounters: stores.rateCounters, onLeadership: stores.onLeadership };
}

/** Any error except unavailability is a fault in the URL. @throws ConfigError, UnavailableError */
async function configured<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    throw new ConfigError([`${name} cannot be used: ${messageOf(error)}`]);
  }
}

async function openEmbedded(config: Config, { registry, onFatal, tracing }: OpeningOptions): Promise<Stores> {
  accessSync(config.dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  const wing = await embeddedStores();
  return wing.openEmbeddedStores({
    dataDir: config.dataDir,
    projectionsUrl: new URL('./configured-projections.js', import.meta.url).href,
    readingUrl: new URL('../evidence/log-builder.js', import.meta.url).href,
    clock: new SystemClock(),
    metrics: tracedAppends(storeMetrics(registry), tracing),
    flushMs: Math.min(5_000, config.presenceTimeoutMs / 3),
    onFatal,
    admit: () => refuseUsedFolder(config, wing),
    keyCheck: () => keyCheckOf(masterKeyFor(config, new SystemRandomness())),
  });
}

/** @throws ConfigError */
export function makeDataDir({ dataDir }: Config): void {
  try {
    makeFolders(dataDir);
    if (statSync(dataDir).isDirectory()) return;
  } catch (error) {
    throw new ConfigError([`DATA_DIR ${messageOf(error)}`]);
  }
  throw new ConfigError([`DATA_DIR ${dataDir} is no folder`]);
}

function waitForServers<T>(
  { logger, stop }: Pick<OpeningOptions, 'logger' | 'stop'>,
  work: () => Promise<T>,
): Promise<T> {
  const stopping = whenAborted(stop);
  const stopped = stopping.then(() => Promise.reject(new UnavailableError('the service stops')));
  let isLogged = false;
  return retry(() => Promise.race([stopped, work()]), {
    when: (error) => isUnavailable(error) && !(error instanceof NoArchiveError),
    // This timer alone keeps the process alive so early in the start.
    wait: () => Promise.race([stopping, sleep(RETRY_MS)]),
    deadline: new Deadline(WAIT_FOR_SERVERS_MS),
    signal: stop,
    onError: (error) => {
      if (!isLogged) logger.warn({ err: error }, 'the servers do not answer yet; retrying');
      isLogged = true;
    },
  });
}
