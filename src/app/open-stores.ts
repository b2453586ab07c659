import { accessSync, constants, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { judgeUrl } from '../adapters/eventstoredb/connection-string.js';
import { makeFolders } from '../adapters/filesystem/private-files.js';
import { openEmbeddedStores } from '../adapters/sqlite/open-embedded-stores.js';
import { SystemClock } from '../adapters/system/system-clock.js';
import type { LimiterFactory } from '../http/rate-limits.js';
import { SystemRandomness } from '../adapters/system/system-randomness.js';
import { ConfigError, type Config } from '../config.js';
import type { Milliseconds } from '../kernel/time.js';
import { UnavailableError } from '../ports/event-store.port.js';
import type { Stores } from '../ports/stores.js';
import { Deadline } from '../event-sourcing/deadline.js';
import { isUnavailable, retry } from '../event-sourcing/retry.js';
import { masterKeyFor } from './master-key.js';
import { storeMetrics } from './metrics.js';
import { openServerStores } from './open-server-stores.js';
import { projectionsFor } from './projections.js';
import { whenAborted } from './told-to-stop.js';
import { keyCheckOf, refuseUsedFolder } from './used-folder.js';

export interface Opened {
  /** As the ready line names it. */
  readonly home: 'embedded' | 'servers';
  readonly stores: Stores;
  readonly limiters?: LimiterFactory;
  readonly onDuty?: (group: string, leading: boolean) => void;
}

export interface OpeningOptions {
  readonly logger: Logger;
  readonly registry: Registry;
  /** The stores cannot be written any more. */
  readonly onFatal: (error: Error) => void;
  /** Whoever waits for servers does so no longer. */
  readonly stop: AbortSignal;
}

/** Servers may start at the same time as the service. */
const WAIT_FOR_SERVERS_MS: Milliseconds = 60_000;
const RETRY_MS: Milliseconds = 500;

/**
 * The stores that the configuration names. @throws DataDirLockedError when another process has the folder;
 * ConfigError for a URL that will not do; UnavailableError when the servers do not answer in time, or were not waited
 * for to the end
 */
export async function openStores(config: Config, options: OpeningOptions): Promise<Opened> {
  const { eventStoreUrl, mongoUrl } = config;
  if (eventStoreUrl === undefined || mongoUrl === undefined) {
    return { home: 'embedded', stores: await openEmbedded(config, options) };
  }
  const { logger, registry } = options;
  const urls = { eventStoreUrl, mongoUrl };
  const projections = projectionsFor(config);
  await configured('EVENTSTORE_URL', async () => judgeUrl(eventStoreUrl));
  const stores = await configured('MONGODB_URL', () =>
    waitForServers(options, () => openServerStores({ ...urls, projections, logger, registry })),
  );
  try {
    await configured('EVENTSTORE_URL', () => waitForServers(options, () => stores.events.check()));
  } catch (error) {
    // It waits for calls under way, and nobody waits for them any more who was told to stop.
    await Promise.race([whenAborted(options.stop), stores.close()]);
    throw error;
  }
  return { home: 'servers', stores, limiters: stores.limiters, onDuty: stores.onDuty };
}

/** What goes wrong here, and not because servers do not answer, is in the URL. @throws ConfigError, UnavailableError */
async function configured<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnavailableError) throw error;
    throw new ConfigError([
      `${name} cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    ]);
  }
}

async function openEmbedded(config: Config, { registry, onFatal }: OpeningOptions): Promise<Stores> {
  accessSync(config.dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  return openEmbeddedStores({
    dataDir: config.dataDir,
    projectionsUrl: new URL('./configured-projections.js', import.meta.url).href,
    clock: new SystemClock(),
    metrics: storeMetrics(registry),
    flushMs: Math.min(5_000, config.presenceTimeoutMs / 3),
    onFatal,
    admit: () => refuseUsedFolder(config),
    keyCheck: () => keyCheckOf(masterKeyFor(config, new SystemRandomness())),
  });
}

/** @throws ConfigError */
export function makeDataDir({ dataDir }: Config): void {
  try {
    makeFolders(dataDir);
    if (statSync(dataDir).isDirectory()) return;
  } catch (error) {
    throw new ConfigError([`DATA_DIR ${error instanceof Error ? error.message : String(error)}`]);
  }
  throw new ConfigError([`DATA_DIR ${dataDir} is no folder`]);
}

/** Retries until the servers answer, for a minute at most; logs the first failure. */
function waitForServers<T>(
  { logger, stop }: Pick<OpeningOptions, 'logger' | 'stop'>,
  work: () => Promise<T>,
): Promise<T> {
  const stopped = whenAborted(stop).then(() => Promise.reject(new UnavailableError('the service stops')));
  let isLogged = false;
  return retry(() => Promise.race([stopped, work()]), {
    when: isUnavailable,
    // A timer that keeps the process running: nothing else does yet.
    wait: () => Promise.race([whenAborted(stop), sleep(RETRY_MS)]),
    deadline: new Deadline(WAIT_FOR_SERVERS_MS),
    signal: stop,
    onError: (error) => {
      if (!isLogged) logger.warn({ err: error }, 'the servers do not answer yet; retrying');
      isLogged = true;
    },
  });
}
