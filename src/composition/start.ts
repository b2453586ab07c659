import { mkdirSync, readFileSync } from 'node:fs';
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { DataDirLockedError } from '../adapters/sqlite/data-dir-lock.js';
import { openEmbeddedStores } from '../adapters/sqlite/open-embedded-stores.js';
import { SystemClock } from '../adapters/system/system-clock.js';
import { SystemRandomness } from '../adapters/system/system-randomness.js';
import { ConfigError, loadConfig, type Config } from '../config.js';
import type { Stores } from '../ports/stores.js';
import { storeMetrics } from './metrics.js';
import { createService, type Service } from './service.js';

/** sysexits.h: wrong configuration; somebody else has the data; a fault of ours. */
const EX_CONFIG = 78;
const EX_TEMPFAIL = 75;
const EX_SOFTWARE = 70;
/** What runs may finish within this after SIGTERM. */
const SHUTDOWN_MS = 10_000;

/** Runs the service until it is told to stop; resolves to the exit code. */
export async function startService(): Promise<number> {
  let config: Config;
  try {
    config = loadConfig();
    refuseServerStores(config);
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    process.stderr.write(`${error instanceof ConfigError ? error.message : `DATA_DIR: ${String(error)}`}\n`);
    return EX_CONFIG;
  }
  const logger = loggerFor(config);
  const registry = new Registry();
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => (fail = resolve));
  let stores: Stores;
  try {
    stores = await openEmbeddedStores({
      dataDir: config.dataDir,
      projectionsUrl: new URL('./configured-projections.js', import.meta.url).href,
      clock: new SystemClock(),
      metrics: storeMetrics(registry),
      flushMs: Math.min(5_000, config.presenceTimeoutMs / 3),
      onFatal: (error) => fail(error),
    });
  } catch (error) {
    if (!(error instanceof DataDirLockedError)) throw error;
    process.stderr.write(`DATA_DIR ${config.dataDir} is in use by another process\n`);
    return EX_TEMPFAIL;
  }
  try {
    return await serve(config, stores, { logger, registry, failed });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    await stores.close();
    return EX_CONFIG;
  }
}

/** Their adapters are still to come: going on with the embedded stores would put the data where nobody looks. */
function refuseServerStores({ eventStoreUrl }: Config): void {
  if (eventStoreUrl) throw new ConfigError(['EVENTSTORE_URL and MONGODB_URL are not served by this release']);
}

interface Surroundings {
  readonly logger: Logger;
  readonly registry: Registry;
  readonly failed: Promise<Error>;
}

async function serve(
  config: Config,
  stores: Stores,
  { logger, registry, failed }: Surroundings,
): Promise<number> {
  const service = await createService({
    config,
    productVersion: productVersion(),
    stores,
    clock: new SystemClock(),
    randomness: new SystemRandomness(),
    logger,
    registry,
  });
  const url = await service.listen();
  process.stdout.write(`${JSON.stringify({ msg: 'ready', url, pid: process.pid, stores: 'embedded' })}\n`);
  const ended = await Promise.race([signalled(), failed]);
  if (ended instanceof Error) logger.fatal({ err: ended }, 'the stores cannot be written any more');
  const code = ended instanceof Error ? EX_SOFTWARE : 0;
  await stopWithin(service, stores, code);
  return code;
}

function signalled(): Promise<'signalled'> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve('signalled'));
    process.once('SIGINT', () => resolve('signalled'));
  });
}

/** What does not end in time is cut off; the stores are flushed either way. */
async function stopWithin(service: Service, stores: Stores, code: number): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<'late'>((resolve) => (late = setTimeout(resolve, SHUTDOWN_MS, 'late')));
  const ended = await Promise.race([service.close(), patience]);
  clearTimeout(late);
  await stores.close();
  if (ended === 'late') process.exit(code);
}

/** Logs go to stderr: stdout belongs to the ready line. Pretty on a terminal, JSON elsewhere. */
function loggerFor({ logLevel }: Config): Logger {
  const options = { level: logLevel, base: undefined };
  if (process.stderr.isTTY) {
    return pino({ ...options, transport: { target: 'pino-pretty', options: { destination: 2 } } });
  }
  return pino(options, pino.destination({ fd: 2, sync: false }));
}

/** `version` of package.json, found upwards from here: this file runs from dist/. */
function productVersion(): string {
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      return (JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as { version: string }).version;
    } catch {
      continue;
    }
  }
  throw new Error('package.json is missing');
}
