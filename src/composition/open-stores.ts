import { mkdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { judgeUrl } from '../adapters/eventstoredb/connection-string.js';
import { openEmbeddedStores } from '../adapters/sqlite/open-embedded-stores.js';
import { SystemClock } from '../adapters/system/system-clock.js';
import type { LimiterFactory } from '../api/shared/rate-limits.js';
import { ConfigError, type Config } from '../config.js';
import type { Milliseconds } from '../kernel/time.js';
import { UnavailableError } from '../ports/event-store.port.js';
import type { Stores } from '../ports/stores.js';
import { storeMetrics } from './metrics.js';
import { openServerStores } from './open-server-stores.js';
import { projectionsFor } from './projections.js';
import { whenAborted } from './told-to-stop.js';

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

/** Servers that start together with us are waited for this long. */
const PATIENCE_MS: Milliseconds = 60_000;
const LOOK_MS: Milliseconds = 500;

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
    patiently(options, () => openServerStores({ ...urls, projections, logger, registry })),
  );
  try {
    await configured('EVENTSTORE_URL', () => patiently(options, () => stores.events.check()));
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

function openEmbedded(config: Config, { registry, onFatal }: OpeningOptions): Promise<Stores> {
  return openEmbeddedStores({
    dataDir: config.dataDir,
    projectionsUrl: new URL('./configured-projections.js', import.meta.url).href,
    clock: new SystemClock(),
    metrics: storeMetrics(registry),
    flushMs: Math.min(5_000, config.presenceTimeoutMs / 3),
    onFatal,
  });
}

/** @throws ConfigError */
export function makeDataDir({ dataDir }: Config): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new ConfigError([`DATA_DIR ${error instanceof Error ? error.message : String(error)}`]);
  }
}

async function patiently<T>(
  { logger, stop }: Pick<OpeningOptions, 'logger' | 'stop'>,
  work: () => Promise<T>,
): Promise<T> {
  const stopped = whenAborted(stop).then(() => Promise.reject(new UnavailableError('told to stop')));
  const began = performance.now();
  for (let told = false; ; told = true) {
    try {
      return await Promise.race([stopped, work()]);
    } catch (error) {
      const isOver = stop.aborted || performance.now() - began > PATIENCE_MS;
      if (isOver || !(error instanceof UnavailableError)) throw error;
      if (!told) logger.warn({ err: error }, 'the servers do not answer yet');
      await Promise.race([whenAborted(stop), setTimeout(LOOK_MS)]);
    }
  }
}
