import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { SystemRandomness } from '../../src/app/system/system-randomness.js';
import type { TimerLoop } from '../../src/event-sourcing/timers/timer-loop.js';
import { projectionsFor } from '../../src/app/projections.js';
import { AppModule } from '../../src/app/app.module.js';
import { WAITING_CONNECTIONS } from '../../src/app/tuning/file-limit.js';
import { addressOf, platformOver, type ServiceOptions } from '../../src/app/platform.module.js';
import { tracingOf } from '../../src/app/tracing.js';
import { Workers } from '../../src/app/workers.js';
import { loadConfig, type Config } from '../../src/config.js';
import { Connections } from '../../src/http/connections.js';
import { HttpAdapter } from '../../src/http/http-adapter.js';
import { nestOptions } from '../../src/http/nest-logger.js';
import type { Timeouts } from '../../src/http/http-options.js';
import type { NewConnections } from '../../src/http/new-connections.js';
import { plus, type Instant, type Milliseconds } from '../../src/kernel/time.js';
import type { Stores } from '../../src/event-sourcing/ports/stores.js';
import type { WebhookClient } from '../../src/contexts/webhooks/client/webhook-client.port.js';
import { clientOf, type Answered, type Call } from './http/client.js';
import { judgeOf } from './judge.js';
import { ManualClock } from './manual-clock.js';
import { openTestStores } from './stores.js';

export interface TestService {
  /** `http://127.0.0.1:<port>/v1` */
  readonly url: string;
  readonly config: Config;
  readonly clock: ManualClock;
  readonly stores: Stores;
  readonly service: { readonly app: NestFastifyApplication; readonly timers: TimerLoop };
  readonly operatorToken: string;
  /** Sends one request; paths are below /v1. Fails the test if the answer does not match the OpenAPI document. */
  call(method: string, path: string, call?: Call): Promise<Answered>;
  /** Sends a request as the operator; resolves to `data`. Fails the test on an unexpected status. */
  operate(method: string, path: string, json?: object): Promise<Record<string, unknown>>;
  /** Advances the clock and fires all due timers. */
  advance(ms: Milliseconds): Promise<void>;
  /** Time on the clock plus `ms`, which may be negative. */
  fromNow(ms: Milliseconds): Instant;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  /** Environment variables (docs/operations.md), e.g. `{ LEASE_SECONDS: '5' }`. */
  readonly env?: Record<string, string>;
  readonly clock?: ManualClock;
  readonly stores?: (config: Config, clock: ManualClock) => Promise<Stores> | Stores;
  /** Replaces the network client for webhooks. */
  readonly webhookClient?: WebhookClient;
}

/** SQLite in memory, or with `TEST_STORES=servers` the stand-ins of EventStoreDB and MongoDB, whose drivers load slowly. `TEST_PARTITIONS`: of the read models. */
async function usualStores(config: Config, clock: ManualClock): Promise<Stores> {
  if (process.env.TEST_STORES !== 'servers')
    return openTestStores({ projections: projectionsFor(config), clock });
  const { openTestServerStores } = await import('./server-stores.js');
  return openTestServerStores(config, clock);
}

/** Clients share this process: on a busy machine a thousand requests at once must not pass for slow clients. */
const PATIENT: Partial<Timeouts> = { headers: 120_000, request: 120_000 };

/** Suites count the events of their requests. */
const OWN_EVENTS_ONLY = { EVIDENCE_INTERVAL_SECONDS: '0' };

type Parts = Pick<ServiceOptions, 'config' | 'stores' | 'clock' | 'webhookClient'>;

async function startApp({ config, stores, clock, webhookClient }: Parts) {
  const logger = pino({ level: process.env.TEST_LOG ?? 'silent' });
  const randomness = new SystemRandomness();
  const tracing = await tracingOf(config, '2.0.59', logger);
  const parts = { config, stores, clock, webhookClient, logger, randomness, tracing };
  const platform = await platformOver({ ...parts, productVersion: '2.0.59' });
  const adapter = new HttpAdapter({ ...config, timeouts: PATIENT });
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.over(platform),
    adapter,
    nestOptions(logger),
  );
  slowNobody(app);
  await app.listen({ port: config.port, host: config.host, backlog: WAITING_CONNECTIONS });
  const workers = app.get(Workers);
  await workers.start();
  return { app, workers, close: () => app.close().then(() => tracing?.close()) };
}

/** Suites send thousands of wrong credentials from one address; src/http/new-connections.spec.ts tests its pauses. */
function slowNobody(app: NestFastifyApplication): void {
  const { opening } = app.get(Connections, { strict: false }) as unknown as { opening: NewConnections };
  opening.slow = () => undefined;
}

/** The whole service over real HTTP on port 0, on SQLite in memory and the manual clock. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rps-test-'));
  const config = loadConfig({
    ...OWN_EVENTS_ONLY,
    PORT: '0',
    RATE_LIMIT_FACTOR: '0',
    PROJECTOR_PARTITIONS: process.env.TEST_PARTITIONS,
    ...options.env,
    DATA_DIR: dataDir,
  });
  const clock = options.clock ?? new ManualClock();
  const stores = await (options.stores ?? usualStores)(config, clock);
  const { app, workers, close } = await startApp({ ...options, config, stores, clock });
  const url = await addressOf(app);
  const operatorToken = (await readFile(join(dataDir, 'operator-token'), 'utf8')).trim();
  const send = clientOf(url);
  const judge = await judgeOf(url);
  const call = async (method: string, path: string, given?: Call) => {
    const answered = await send(method, path, given);
    judge(method, path, answered);
    return answered;
  };
  const started: TestService = {
    url,
    config,
    clock,
    stores,
    service: { app, timers: workers.timers },
    operatorToken,
    call,
    async operate(method, path, json) {
      const given = { as: operatorToken, ...(json && { json }) };
      const answered = await send(method, `/operator${path}`, given);
      if (answered.status >= 300) throw new Error(`${method} ${path}: ${answered.status} ${answered.text}`);
      return answered.body.data!;
    },
    async advance(ms) {
      clock.advance(ms);
      await workers.timers.runDue();
    },
    fromNow: (ms) => plus(clock.now(), ms),
    async close() {
      await close();
      await stores.close();
      await rm(dataDir, { recursive: true, force: true });
      emptied(started);
    },
  };
  return started;
}

/** A service for the tests of a describe: started before the first, closed after the last. It has no parts before. */
export function serviceForAll(options?: TestServiceOptions): TestService {
  const service = {} as TestService;
  beforeAll(async () => void Object.assign(service, await startTestService(options)));
  afterAll(() => closed(service));
  return service;
}

/** A new service for each test of a describe. */
export function serviceForEach(options?: TestServiceOptions): TestService {
  const service = {} as TestService;
  beforeEach(async () => void Object.assign(service, await startTestService(options)));
  afterEach(() => closed(service));
  return service;
}

async function closed(service: TestService): Promise<void> {
  await service.close();
  emptied(service);
}

/** A worker keeps its specs, and with their variables each would keep its last service. */
function emptied(service: TestService): void {
  for (const part of Object.keys(service)) delete (service as unknown as Record<string, unknown>)[part];
}
