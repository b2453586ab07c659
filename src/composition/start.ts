import { readFileSync } from 'node:fs';
import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import { DataDirLockedError } from '../adapters/sqlite/data-dir-lock.js';
import { SystemClock } from '../adapters/system/system-clock.js';
import { SystemRandomness } from '../adapters/system/system-randomness.js';
import { ConfigError, loadConfig, type Config } from '../config.js';
import { UnavailableError } from '../ports/event-store.port.js';
import type { Stores } from '../ports/stores.js';
import { makeDataDir, openStores, type Opened } from './open-stores.js';
import { createService, type Service } from './service.js';
import { whenAborted } from './told-to-stop.js';

/** sysexits.h: wrong configuration; somebody else has the data; servers that do not answer; a fault of ours. */
const EX_CONFIG = 78;
const EX_UNAVAILABLE = 69;
const EX_TEMPFAIL = 75;
const EX_SOFTWARE = 70;
/** What runs may finish within this after SIGTERM. */
const SHUTDOWN_MS = 10_000;

/** Runs the service until `stop` tells it to end, ready or not; resolves to the exit code. */
export async function startService(stop: AbortSignal): Promise<number> {
  let config: Config;
  try {
    config = loadConfig();
    makeDataDir(config);
  } catch (error) {
    return refusal(error);
  }
  const logger = loggerFor(config);
  const registry = new Registry();
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<Error>((resolve) => (fail = resolve));
  const begun = cutOffBeginning(stop);
  let opened: Opened;
  try {
    opened = await openStores(config, { logger, registry, onFatal: (error) => fail(error), stop });
  } catch (error) {
    // Servers that were waited for may never answer what is under way.
    if (stop.aborted) process.exit(0);
    return refusal(error);
  }
  try {
    return await serve(config, opened, { logger, registry, failed, stop, begun });
  } catch (error) {
    await opened.stores.close();
    return stop.aborted ? 0 : refusal(error);
  }
}

/** Whatever goes on beginning this long after it was told to stop holds nothing that must be flushed. */
function cutOffBeginning(stop: AbortSignal): () => void {
  const cutOff = () => void setTimeout(() => process.exit(0), SHUTDOWN_MS).unref();
  stop.addEventListener('abort', cutOff);
  return () => stop.removeEventListener('abort', cutOff);
}

/** The exit code for what kept the service from starting, which is told in words. @throws what is a fault of ours */
function refusal(error: unknown): number {
  const code = [
    { of: ConfigError, code: EX_CONFIG },
    { of: DataDirLockedError, code: EX_TEMPFAIL },
    { of: UnavailableError, code: EX_UNAVAILABLE },
  ].find(({ of }) => error instanceof of)?.code;
  if (code === undefined) throw error;
  process.stderr.write(`${(error as Error).message}\n`);
  return code;
}

interface Surroundings {
  readonly logger: Logger;
  readonly registry: Registry;
  readonly failed: Promise<Error>;
  readonly stop: AbortSignal;
  /** From now on what runs is ended, not cut off. */
  readonly begun: () => void;
}

async function serve(
  config: Config,
  { home, stores, limiters, onDuty }: Opened,
  { logger, registry, failed, stop, begun }: Surroundings,
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
  const url = await service.listen(stop);
  begun();
  const ready = { msg: 'ready', url, pid: process.pid, stores: home };
  if (!stop.aborted) process.stdout.write(`${JSON.stringify(ready)}\n`);
  const ended = await Promise.race([whenAborted(stop), failed]);
  if (ended instanceof Error) logger.fatal({ err: ended }, 'the stores cannot be written any more');
  const code = ended instanceof Error ? EX_SOFTWARE : 0;
  await stopWithin(service, stores, code);
  return code;
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
