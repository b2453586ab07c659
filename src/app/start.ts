import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { SystemClock } from '../adapters/system/system-clock.js';
import { SystemRandomness } from '../adapters/system/system-randomness.js';
import { loadConfig, type Config } from '../config.js';
import type { Milliseconds } from '../kernel/time.js';
import type { Stores } from '../ports/stores.js';
import type { StartOptions } from './before-loading.js';
import { EX_SOFTWARE } from './exit-codes.js';
import { ENOUGH_FILES, mostConnections, openFileLimit, raiseLimit } from './file-limit.js';
import { flushOutputs, loggerFor, openOutputs, type Outputs } from './logging.js';
import { makeDataDir, openStores, type Opened } from './open-stores.js';
import { productVersion } from './product-version.js';
import { refusalOf } from './refusal.js';
import { refuseHalfRestored } from './restore-mark.js';
import { createService, type Service } from './service.js';
import { whenAborted } from './told-to-stop.js';

/** What runs may finish within this after SIGTERM. */
const SHUTDOWN_MS: Milliseconds = 10_000;
/** A disk that takes longer to close the stores may be gone. */
const CLOSING_MS: Milliseconds = 5_000;
/** Whatever the service makes is for its own user alone. */
const PRIVATE_UMASK = 0o077;

/** Runs the service until `stop` tells it to end, ready or not; resolves to the exit code. */
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
  const logger = loggerFor(config, outputs);
  warnOf(config, logger);
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => (fail = resolve));
  const begun = cutOffBeginning(stop);
  let opened: Opened;
  try {
    opened = await openStores(config, { logger, registry, onFatal: (error) => fail(error), stop });
  } catch (error) {
    // Servers that were waited for may never answer what is under way.
    if (stop.aborted) process.exit(0);
    logger.debug({ err: error }, 'the stores could not be opened');
    return refusal(error, outputs, config);
  }
  try {
    return await serve(config, opened, { logger, registry, failed, stop, begun, outputs });
  } catch (error) {
    await opened.stores.close();
    logger.debug({ err: error }, 'the start failed');
    return stop.aborted ? 0 : refusal(error, outputs, config);
  }
}

/** Whatever goes on beginning this long after it was told to stop holds nothing that must be flushed. */
function cutOffBeginning(stop: AbortSignal): () => void {
  const cutOff = () => void setTimeout(() => process.exit(0), SHUTDOWN_MS).unref();
  stop.addEventListener('abort', cutOff);
  return () => stop.removeEventListener('abort', cutOff);
}

function warnOf({ newStore }: Config, logger: Logger): void {
  const limit = openFileLimit();
  if (limit !== undefined && limit < ENOUGH_FILES) logger.warn(raiseLimit(limit));
  if (newStore)
    logger.warn('NEW_STORE or --new is set: unset it after this start, it lets a lost store go unnoticed');
}

/** Says on stderr why the service does not start. @returns the exit code */
function refusal(error: unknown, { stderr }: Outputs, config?: Config): number {
  const { code, sentence } = refusalOf(error, config?.dataDir ?? '');
  stderr.write(`${sentence}\n`);
  return code;
}

interface Surroundings {
  readonly logger: Logger;
  readonly registry: Registry;
  readonly failed: Promise<Error>;
  readonly stop: AbortSignal;
  /** From now on what runs is ended, not cut off. */
  readonly begun: () => void;
  readonly outputs: Outputs;
}

async function serve(
  config: Config,
  { home, stores, limiters, onDuty }: Opened,
  { logger, registry, failed, stop, begun, outputs }: Surroundings,
): Promise<number> {
  const service = await createService({
    config,
    productVersion: productVersion(),
    stores,
    clock: new SystemClock(),
    randomness: new SystemRandomness(),
    logger,
    registry,
    ...(limiters && { limiters }),
    onDuty,
  });
  const most = mostConnections();
  if (most !== undefined) (service.app.getHttpServer() as Server).maxConnections = most;
  const url = await service.listen(stop).catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  begun();
  const ready = { msg: 'ready', url, pid: process.pid, stores: home };
  if (!stop.aborted) outputs.stdout.write(`${JSON.stringify(ready)}\n`);
  const ended = await Promise.race([whenAborted(stop), failed]);
  if (ended instanceof Error) logger.fatal({ err: ended }, 'the stores cannot be written any more');
  const code = ended instanceof Error ? EX_SOFTWARE : 0;
  await stopWithin(service, stores, code);
  return code;
}

/** What does not end in time is cut off; the stores are flushed either way, unless their disk does not answer. */
async function stopWithin(service: Service, stores: Stores, code: number): Promise<void> {
  const isClosed = await endsWithin(SHUTDOWN_MS, service.close());
  const isFlushed = await endsWithin(CLOSING_MS, stores.close());
  if (!isClosed || !isFlushed) process.exit(code);
}

async function endsWithin(limit: Milliseconds, work: Promise<void>): Promise<boolean> {
  let late: NodeJS.Timeout | undefined;
  const patience = new Promise<boolean>((resolve) => (late = setTimeout(resolve, limit, false)));
  const ended = await Promise.race([work.then(() => true), patience]);
  clearTimeout(late);
  return ended;
}
