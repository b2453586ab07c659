import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { CommandBus } from '@nestjs/cqrs';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { MemoryRateCounters } from './system/memory-rate-counters.js';
import { accessOf, surfacesOf } from '../api/surfaces.js';
import { JobHistoryQueries } from '../../projections/job-history/job-history.queries.js';
import { ViewJobLists } from '../../projections/job-view/view-job-lists.js';
import { createHttpApp, type HttpAppOptions } from '../http/http-app.js';
import { HttpMetrics } from '../http/request-log.js';
import { Readiness } from '../kernel/readiness.js';
import type { Timeouts } from '../http/server-options.js';
import { AppModule } from './app.module.js';
import type { Config } from '../config.js';
import {
  ContentSweep,
  JOB,
  JobLists,
  JobNotifier,
  ParkRestoredJobsHandler,
  type JobAggregate,
} from '../contexts/jobs/index.js';
import { RecentRestore, RollbackState } from '../contexts/recovery/index.js';
import { WebhookLoops, type WebhookClient } from '../contexts/webhooks/index.js';
import type { Milliseconds, Clock } from '../kernel/time.js';
import type { Randomness } from '../kernel/ids.js';
import type { RateCounters } from '../kernel/rate-counters.js';
import { DAY_MS, RepeatedRun } from '../async/repeated-run.js';
import { SingletonWorkers } from './singleton-workers.js';
import { masterKeyFor } from './master-key.js';
import { countedBlocks } from '../operations/metrics/metrics.js';
import { ensureOperatorToken } from './operator-token.js';
import { packingOf } from './packing.js';
import { processesFor } from './processes.js';
import { readModelGauges } from '../operations/metrics/read-model-gauges.js';
import { followRestores, isRestored, recoverRestored, recoverRolledBack } from './restored-start.js';
import { TimerService } from './timer-service.js';
import { retriedFailures } from './retried-failures.js';
import { sendingOf, webhookClientFor } from './webhook-sending.js';
import { UnavailableError } from '../kernel/errors.js';
import { type Stores, AggregateStore } from '../event-sourcing/index.js';

const POLL_MS: Milliseconds = 50;
/** A large store takes longer; /health/ready reports it. */
const FIRST_VIEWS_MS: Milliseconds = 10_000;

export interface ServiceOptions {
  readonly config: Config;
  readonly productVersion: string;
  readonly stores: Stores;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly logger: Logger;
  readonly registry?: Registry;
  readonly timeouts?: Partial<Timeouts>;
  /** Rate counters shared by all instances; default: counters of this process. */
  readonly rateCounters?: RateCounters | undefined;
  /** Called when this instance gains or loses the leadership of a group of singleton workers. */
  readonly onLeadership?: ((group: string, leading: boolean) => void) | undefined;
  /** Replaces the network client in tests; closed with the service. */
  readonly webhookClient?: WebhookClient;
}

/** One instance of the service, not yet listening. `close` leaves the stores open. */
export interface Service {
  readonly app: NestFastifyApplication;
  readonly timers: TimerService;
  /** Resolves to the base address of the API, `http://host:port/v1`; `stop` ends all waiting early. */
  listen(stop?: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

export async function createService(options: ServiceOptions): Promise<Service> {
  const { config, stores, clock, randomness, logger, registry = new Registry() } = options;
  const masterKey = masterKeyFor(config, randomness);
  const aggregates = aggregatesOver(stores, randomness);
  const shared = stores.leases && masterKey;
  const replaced = await ensureOperatorToken(config.dataDir, aggregates, {
    clock,
    randomness,
    ...(shared && { shared }),
  });
  if (replaced)
    logger.error(
      'SVC_MASTER_KEY is not the one that was used before: secrets sealed with that one cannot be opened',
    );
  const webhookClient = options.webhookClient ?? webhookClientFor(config, logger);
  const sending = sendingOf(options, registry);
  const rateCounters = options.rateCounters ?? new MemoryRateCounters(clock);
  const blockedSignIns = countedBlocks(registry, logger);
  const created = { masterKey, aggregates, registry, webhookClient, sending, rateCounters, blockedSignIns };
  const http = httpOptionsOf(options, registry, rateCounters);
  const app = await createHttpApp(AppModule.over({ ...options, ...created }), http);
  const notifier = app.get(JobNotifier, { strict: false });
  gauges(app, options, registry);
  const timers = new TimerService(stores, clock, app.get(CommandBus), processesFor(config), logger);
  const { consumers, projector } = singletonWorkersOf(app, timers, { ...options, aggregates });
  return {
    app,
    timers,
    async listen(stop) {
      await begin(app, projector, { ...options, aggregates }, stop);
      if (stores.projector) await waitForReadModels(app.get(Readiness, { strict: false }), stop);
      if (config.role !== 'api') await consumers.start();
      return `${(await app.getUrl()).replace('[::1]', '127.0.0.1')}/v1`;
    },
    async close() {
      notifier.close();
      await Promise.all([consumers.stop(), closeSoon(app)]);
      await projector.stop();
      await webhookClient.close();
    },
  };
}

function httpOptionsOf(
  { config, productVersion, randomness, clock, logger, timeouts }: ServiceOptions,
  registry: Registry,
  rateCounters: RateCounters,
): HttpAppOptions {
  const { panel, rateLimitFactor, publicUrl, trustedProxies, metricsPublic } = config;
  return {
    ...{
      productVersion,
      randomness,
      clock,
      logger,
      timeouts,
      rateLimitFactor,
      publicUrl,
      trustedProxies,
      rateCounters,
    },
    access: (app) => accessOf(app, panel),
    metrics: new HttpMetrics(registry),
    surfaces: surfacesOf(panel),
    panelPages: panel,
    openOperations: metricsPublic ? ['metrics'] : [],
  };
}

function gauges(
  app: NestFastifyApplication,
  { stores, clock, logger }: ServiceOptions,
  registry: Registry,
): void {
  const notifier = app.get(JobNotifier, { strict: false });
  const rollback = app.get(RollbackState, { strict: false });
  readModelGauges(registry, stores, {
    logger,
    waitingPolls: () => notifier.waiting,
    isRolledBack: () => rollback.isRolledBack(),
    now: () => clock.now(),
  });
}

/** Starts to listen. A restored store parks its jobs before it serves requests or fires timers. */
async function begin(
  app: NestFastifyApplication,
  projector: SingletonWorkers,
  start: Starting,
  stop?: AbortSignal,
) {
  const { config, stores, aggregates } = start;
  await app.init();
  recoverAfterRollback(app, start);
  try {
    if (config.role !== 'api') await projector.start();
    await followRestores(app.get(RecentRestore, { strict: false }), stores, aggregates);
    if (isRestored(config)) {
      await recoverRestored({ ...start, events: stores.events, commands: app.get(CommandBus) }, stop);
      if (stop?.aborted)
        throw new UnavailableError('stopped before the jobs of the restored store were parked');
    }
    await app.listen(config.port, config.host);
  } catch (error) {
    await projector.stop();
    throw error;
  }
}

type Starting = ServiceOptions & { readonly aggregates: AggregateStore };

/** Parks the jobs of a rolled-back log before readers see the rebuilt read models. */
function recoverAfterRollback(app: NestFastifyApplication, options: Starting): void {
  const { stores, aggregates } = options;
  const { events } = stores;
  stores.onRolledBack?.(() => app.get(JobHistoryQueries, { strict: false }).forgetAll());
  const job = app.get<JobAggregate>(JOB, { strict: false });
  stores.recoverWith?.((views, { end }) => {
    const handler = new ParkRestoredJobsHandler(job, aggregates, new ViewJobLists(views), events);
    return recoverRolledBack({ ...options, events }, end, (command) => handler.execute(command));
  });
}

/** Waits up to 10 s for the read models before reporting ready. */
async function waitForReadModels(readiness: Readiness, stop?: AbortSignal): Promise<void> {
  const started = performance.now();
  while (!stop?.aborted && performance.now() - started < FIRST_VIEWS_MS) {
    if ((await readiness.check()).projections === 'ok') return;
    await setTimeout(POLL_MS);
  }
}

function aggregatesOver(stores: Stores, randomness: Randomness): AggregateStore {
  const aggregates = new AggregateStore(stores.events, randomness, { shared: stores.leases !== undefined });
  stores.onHeard?.((events) => events.forEach((event) => aggregates.forget(event.stream, event.revision)));
  stores.onRolledBack?.(() => aggregates.forgetAll());
  return aggregates;
}

/** Consumers act on events; the projector stops after them, because they need the read models until they end. */
function singletonWorkersOf(app: NestFastifyApplication, timers: TimerService, options: Starting) {
  const { stores, clock, randomness, logger, aggregates } = options;
  const [lists, job] = [app.get(JobLists, { strict: false }), app.get<JobAggregate>(JOB, { strict: false })];
  const swept = { contents: stores.contents, lists, job, aggregates };
  const failures = retriedFailures(logger);
  const onError = (error: unknown) => failures(error, 'the content sweep failed; it runs again later');
  const contents = new ContentSweep(swept, clock, onError);
  const sweep = new RepeatedRun((signal) => contents.sweep(signal), DAY_MS, clock, onError);
  const webhooks = app.get(WebhookLoops, { strict: false });
  const holder = randomness.uuid();
  const workers = () =>
    new SingletonWorkers({ leases: stores.leases, holder, logger, onChange: options.onLeadership });
  const consumers = workers().add('timers', timers).add('content-sweep', sweep).add('webhooks', webhooks);
  const packing = packingOf(options);
  if (packing) consumers.add('packing', packing);
  stores.onRolledBack?.(() => webhooks.startOver());
  const projector = workers();
  if (stores.leases && stores.projector) projector.addWorker('views', stores.leases, stores.projector);
  return { consumers, projector };
}

/** Closes connections as soon as they are idle: keep-alive would hold them open after their last request. */
async function closeSoon(app: NestFastifyApplication): Promise<void> {
  const server = app.getHttpServer() as Server;
  const closingIdle = setInterval(() => server.closeIdleConnections(), POLL_MS);
  await app.close().finally(() => clearInterval(closingIdle));
}
