import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { SystemClock } from './system/system-clock.js';
import { SystemRandomness } from './system/system-randomness.js';
import { loadConfig, type Config } from '../config.js';
import type { Milliseconds } from '../kernel/time.js';
import type { Tracing } from '../kernel/tracing.js';
import type { StartOptions } from './tuning/before-loading.js';
import { agentPackagesWarning, panelAddressWarning } from './config-warnings.js';
import { EX_SOFTWARE } from './exit-codes.js';
import { ENOUGH_FILES, openFileLimit, raiseLimit } from './tuning/file-limit.js';
import { freeHeapOfStart } from './tuning/heap-of-start.js';
import { flushOutputs, loggerFor, openOutputs, type Outputs } from './logging.js';
import { makeDataDir, openStores, type Opened } from './open-stores.js';
import { productVersion } from './product-version.js';
import { refusalOf } from './refusal.js';
import { refuseHalfRestored } from './restore-mark.js';
import { addressOf, platformOver, type Platform } from './platform.module.js';
import { ProcessRegistry } from '../operations/metrics/process-registry.js';
import { tracingOf } from './tracing.js';
import { Workers } from './workers.js';
import { whenAborted } from '../async/pauses.js';
import type { Stores } from '../event-sourcing/index.js';

/** Time for requests and workers to finish after SIGTERM. */
const SHUTDOWN_MS: Milliseconds = 10_000;
/** A slower disk is presumed gone. */
const CLOSING_MS: Milliseconds = 5_000;
const LAST_SPANS_MS: Milliseconds = 2_000;
const PRIVATE_UMASK = 0o077;

/** @param ready starts the workers and resolves when the service is to stop; then the application closes */
type Serve = (platform: Platform, ready: (app: NestFastifyApplication) => Promise<void>) => Promise<void>;

/** `stop` may abort during the start. Resolves to the exit code. */
export async function runService(stop: AbortSignal, options: StartOptions, serve: Serve): Promise<number> {
  process.umask(PRIVATE_UMASK);
  const registry = new ProcessRegistry();
  const outputs = openOutputs(registry);
  try {
    return await run({ stop, ...options, registry, outputs, serve });
  } finally {
    await flushOutputs(outputs);
  }
}

interface Start extends StartOptions {
  readonly stop: AbortSignal;
  readonly registry: Registry;
  readonly outputs: Outputs;
  readonly serve: Serve;
}

async function run(start: Start): Promise<number> {
  const { stop, registry, outputs } = start;
  let config: Config | undefined;
  try {
    config = loadConfig();
    if (start.newStore) config = { ...config, newStore: true };
    makeDataDir(config);
    refuseHalfRestored(config);
  } catch (error) {
    return refusal(error, outputs, config);
  }
  const logger = await loggerFor(config, outputs);
  warnOf(config, logger);
  const tracing = await tracingOf(config, productVersion(), logger);
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => (fail = resolve));
  const started = exitIfStartHangs(stop);
  let opened: Opened;
  try {
    opened = await openStores(config, { logger, registry, onFatal: (error) => fail(error), stop, tracing });
  } catch (error) {
    // Pending calls to the servers may never end.
    if (stop.aborted) process.exit(0);
    logger.debug({ err: error }, 'opening the stores failed');
    return refusal(error, outputs, config);
  }
  try {
    return await serveUntil(Promise.race([whenAborted(stop), failed]), opened, {
      ...start,
      config,
      logger,
      started,
      tracing,
    });
  } catch (error) {
    await opened.stores.close();
    logger.debug({ err: error }, 'the start failed');
    return stop.aborted ? 0 : refusal(error, outputs, config);
  }
}

/** Nothing needs flushing before the service listens. */
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
  for (const warning of [panelAddressWarning(config), agentPackagesWarning(config)])
    if (warning) logger.warn(warning);
}

function refusal(error: unknown, { stderr }: Outputs, config?: Config): number {
  const { code, sentence } = refusalOf(error, config?.dataDir ?? '');
  stderr.write(`${sentence}\n`);
  return code;
}

interface Serving extends Start {
  readonly config: Config;
  readonly logger: Logger;
  /** Call when listening: from then on a shutdown waits for work to end. */
  readonly started: () => void;
  readonly tracing: Tracing | undefined;
}

/** @param ended resolves to a fatal error of the stores, or when the service is to stop */
async function serveUntil(ended: Promise<unknown>, opened: Opened, serving: Serving): Promise<number> {
  const { storage: home, stores, ...further } = opened;
  const { logger, stop, outputs } = serving;
  const platform = await platformOver({
    ...serving,
    ...further,
    stores,
    productVersion: productVersion(),
    clock: new SystemClock(),
    randomness: new SystemRandomness(),
  });
  let code = 0;
  await serving.serve(platform, async (app) => {
    await app.get(Workers).start();
    serving.started();
    const version = productVersion();
    const ready = { msg: 'ready', url: await addressOf(app), pid: process.pid, stores: home, version };
    if (!stop.aborted) outputs.stdout.write(`${JSON.stringify(ready)}\n`);
    freeHeapOfStart();
    const error = await ended;
    if (error instanceof Error) {
      code = EX_SOFTWARE;
      logger.fatal({ err: error }, 'the stores can no longer be written; exiting');
    }
    exitIfClosingHangs(stores, code);
  });
  if (!(await endsWithin(CLOSING_MS, stores.close()))) process.exit(code);
  if (serving.tracing && !(await endsWithin(LAST_SPANS_MS, serving.tracing.close()))) process.exit(code);
  return code;
}

/** Flushes the stores unless their disk hangs. */
function exitIfClosingHangs(stores: Stores, code: number): void {
  const exit = () => void endsWithin(CLOSING_MS, stores.close()).finally(() => process.exit(code));
  setTimeout(exit, SHUTDOWN_MS).unref();
}

async function endsWithin(limit: Milliseconds, work: Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, limit, false)));
  const ended = await Promise.race([work.then(() => true), timeout]);
  clearTimeout(timer);
  return ended;
}
