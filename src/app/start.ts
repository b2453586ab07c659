import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { SystemClock } from './system/system-clock.js';
import { SystemRandomness } from './system/system-randomness.js';
import { loadConfig, type Config } from '../config.js';
import type { Milliseconds } from '../kernel/time.js';
import type { StartOptions } from './tuning/before-loading.js';
import { EX_SOFTWARE } from './exit-codes.js';
import { ENOUGH_FILES, mostConnections, openFileLimit, raiseLimit } from './tuning/file-limit.js';
import { freeHeapOfStart } from './tuning/heap-of-start.js';
import { flushOutputs, loggerFor, openOutputs, type Outputs } from './logging.js';
import { makeDataDir, openStores, type Opened } from './open-stores.js';
import { panelAddressWarning } from './panel-address.js';
import { productVersion } from './product-version.js';
import { refusalOf } from './refusal.js';
import { refuseHalfRestored } from './restore-mark.js';
import { createService, type Service } from './service.js';
import { whenAborted } from './shutdown-signal.js';
import type { Stores } from '../event-sourcing/index.js';

/** Time for requests and workers to finish after SIGTERM. */
const SHUTDOWN_MS: Milliseconds = 10_000;
/** Limit for closing the stores; a slower disk is presumed gone. */
const CLOSING_MS: Milliseconds = 5_000;
/** Files of the service are accessible only to its own user. */
const PRIVATE_UMASK = 0o077;

/** Runs the service until `stop` aborts, also during the start; resolves to the exit code. */
export async function startService(stop: AbortSignal, options: StartOptions): Promise<number> {
  process.umask(PRIVATE_UMASK);
  const registry = new Registry();
  const outputs = openOutputs(registry);
  try {
    return await run(stop, options, registry, outputs);
  } finally {
    await flushOutputs(outputs);
  }
}

async function run(
  stop: AbortSignal,
  { newStore }: StartOptions,
  registry: Registry,
  outputs: Outputs,
): Promise<number> {
  let config: Config;
  try {
    config = loadConfig();
    if (newStore) config = { ...config, newStore };
    makeDataDir(config);
    refuseHalfRestored(config);
  } catch (error) {
    return refusal(error, outputs);
  }
  const logger = await loggerFor(config, outputs);
  warnOf(config, logger);
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => (fail = resolve));
  const started = exitIfStartHangs(stop);
  let opened: Opened;
  try {
    opened = await openStores(config, { logger, registry, onFatal: (error) => fail(error), stop });
  } catch (error) {
    // Pending calls to the servers may never end.
    if (stop.aborted) process.exit(0);
    logger.debug({ err: error }, 'opening the stores failed');
    return refusal(error, outputs, config);
  }
  try {
    return await serve(config, opened, { logger, registry, failed, stop, started, outputs });
  } catch (error) {
    await opened.stores.close();
    logger.debug({ err: error }, 'the start failed');
    return stop.aborted ? 0 : refusal(error, outputs, config);
  }
}

/** Exits with 0 if the start still runs 10 s after the shutdown signal; nothing needs flushing then. */
function exitIfStartHangs(stop: AbortSignal): () => void {
  const exitLater = () => void setTimeout(() => process.exit(0), SHUTDOWN_MS).unref();
  stop.addEventListener('abort', exitLater);
  return () => stop.removeEventListener('abort', exitLater);
}

function warnOf(config: Config, logger: Logger): void {
  const limit = openFileLimit();
  if (limit !== undefined && limit < ENOUGH_FILES) logger.warn(raiseLimit(limit));
  if (config.newStore)
    logger.warn('NEW_STORE or --new is set: unset it after this start, because it hides the loss of a store');
  const warning = panelAddressWarning(config);
  if (warning) logger.warn(warning);
}

/** Prints on stderr why the service does not start. @returns the exit code */
function refusal(error: unknown, { stderr }: Outputs, config?: Config): number {
  const { code, sentence } = refusalOf(error, config?.dataDir ?? '');
  stderr.write(`${sentence}\n`);
  return code;
}

interface Dependencies {
  readonly logger: Logger;
  readonly registry: Registry;
  readonly failed: Promise<Error>;
  readonly stop: AbortSignal;
  /** Call when listening: from then on a shutdown waits for work to end. */
  readonly started: () => void;
  readonly outputs: Outputs;
}

async function serve(
  config: Config,
  { home, stores, rateCounters, onLeadership }: Opened,
  { logger, registry, failed, stop, started, outputs }: Dependencies,
): Promise<number> {
  const service = await createService({
    config,
    productVersion: productVersion(),
    stores,
    clock: new SystemClock(),
    randomness: new SystemRandomness(),
    logger,
    registry,
    rateCounters,
    onLeadership,
  });
  const most = mostConnections();
  if (most !== undefined) (service.app.getHttpServer() as Server).maxConnections = most;
  const url = await service.listen(stop).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  started();
  const ready = { msg: 'ready', url, pid: process.pid, stores: home };
  if (!stop.aborted) outputs.stdout.write(`${JSON.stringify(ready)}\n`);
  freeHeapOfStart();
  const ended = await Promise.race([whenAborted(stop), failed]);
  if (ended instanceof Error) logger.fatal({ err: ended }, 'the stores can no longer be written; exiting');
  const code = ended instanceof Error ? EX_SOFTWARE : 0;
  await stopWithin(service, stores, code);
  return code;
}

/** Exits after the time limits; the stores are flushed unless their disk does not answer. */
async function stopWithin(service: Service, stores: Stores, code: number): Promise<void> {
  const isClosed = await endsWithin(SHUTDOWN_MS, service.close());
  const isFlushed = await endsWithin(CLOSING_MS, stores.close());
  if (!isClosed || !isFlushed) process.exit(code);
}

async function endsWithin(limit: Milliseconds, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, limit, false)));
  const ended = await Promise.race([work.then(() => true), timeout]);
  clearTimeout(timer);
  return ended;
}
