import type { Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { ViewJobLists } from '../../projections/job-view/view-job-lists.js';
import { RepeatedRun } from '../async/repeated-run.js';
import { AlertSignals } from '../contexts/alerts/index.js';
import {
  ContentSweep,
  JOB,
  JobLists,
  JobNotifier,
  ParkRestoredJobsHandler,
  type JobAggregate,
} from '../contexts/jobs/index.js';
import { RecentRestore, RollbackState } from '../contexts/recovery/index.js';
import { WebhookLoops } from '../contexts/webhooks/index.js';
import { EvidenceLog } from '../evidence/evidence-log.js';
import { DueTimers, LogIndex, TimerLoop } from '../event-sourcing/index.js';
import { UnavailableError } from '../kernel/errors.js';
import { Readiness } from '../kernel/readiness.js';
import { DAY_MS, type Milliseconds } from '../kernel/time.js';
import { countJobs, buildInfo } from '../operations/metrics/metrics.js';
import { readModelGauges } from '../operations/metrics/read-model-gauges.js';
import { archivingOf } from './archiving.js';
import { packingOf } from './packing.js';
import { PLATFORM, type Platform } from './platform.module.js';
import { timerLoopOf } from './processes.js';
import { followRestores, isRestored, recoverRestored, recoverRolledBack } from './restored-start.js';
import { retriedFailures } from './retried-failures.js';
import { SingletonWorkers, together } from './singleton-workers.js';

const POLL_MS: Milliseconds = 50;
/** A large store takes longer; /health/ready reports it. */
const FIRST_VIEWS_MS: Milliseconds = 10_000;

/** Nest starts the projector before it listens and stops all workers when it closes. */
@Injectable()
export class Workers implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  readonly timers: TimerLoop;
  /** Need the read models until they end, so they stop before the projector. */
  private readonly consumers: SingletonWorkers;
  private readonly projector: SingletonWorkers;
  private stopping: Promise<void> | undefined;
  private closingIdle: NodeJS.Timeout | undefined;

  constructor(
    @Inject(PLATFORM) private readonly platform: Platform,
    @Inject(JOB) private readonly job: JobAggregate,
    private readonly commands: CommandBus,
    private readonly lists: JobLists,
    private readonly notifier: JobNotifier,
    private readonly restore: RecentRestore,
    private readonly rollback: RollbackState,
    private readonly readiness: Readiness,
    private readonly webhooks: WebhookLoops,
    private readonly changes: LogIndex,
    private readonly alerts: AlertSignals,
    private readonly evidence: EvidenceLog,
    timers: DueTimers,
    private readonly host: HttpAdapterHost,
  ) {
    const { stores } = platform;
    this.timers = timerLoopOf(timers, platform, commands);
    this.consumers = this.consumersOf();
    this.projector = this.group();
    const { leases, projectors = [] } = stores;
    if (leases) for (const [group, worker] of projectors) this.projector.addWorker(group, leases, worker);
    this.gauges();
  }

  /** A restored store parks its jobs before it serves requests or fires timers. */
  async onApplicationBootstrap(): Promise<void> {
    const { config, stores, aggregates, stop } = this.platform;
    this.recoverAfterRollback();
    if (config.role !== 'api') await this.projector.start();
    await followRestores(this.restore, stores.events, aggregates);
    if (!isRestored(config)) return;
    await recoverRestored({ ...this.platform, events: stores.events, commands: this.commands }, stop);
    if (stop.aborted) throw new UnavailableError('stopped before the jobs of the restored store were parked');
  }

  async start(): Promise<void> {
    this.changes.start();
    if (this.platform.stores.projectors) await this.waitForReadModels();
    if (this.platform.config.role !== 'api') await this.consumers.start();
  }

  onModuleDestroy(): void {
    this.notifier.close();
    this.stopping = this.consumers.stop();
    // Keep-alive would hold connections open after their last request.
    const server = this.host.httpAdapter.getHttpServer() as Server;
    this.closingIdle = setInterval(() => server.closeIdleConnections(), POLL_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.closingIdle);
    await this.stopping;
    await this.changes.stop();
    await this.projector.stop();
    await this.platform.webhookClient.close();
  }

  private group(): SingletonWorkers {
    const { stores, randomness, logger, electionClock: clock, onLeadership: onChange } = this.platform;
    const holder = randomness.uuid();
    return new SingletonWorkers({ leases: stores.leases, clock, holder, logger, onChange });
  }

  private consumersOf(): SingletonWorkers {
    const { stores, clock, logger, aggregates } = this.platform;
    const failures = retriedFailures(logger);
    const onError = (error: unknown) => failures(error, 'the content sweep failed; it runs again later');
    const jobs = { lists: this.lists, job: this.job, aggregates };
    const contents = new ContentSweep({ contents: stores.contents, ...jobs }, clock, onError);
    const sweep = new RepeatedRun((signal) => contents.sweep(signal), DAY_MS, clock, onError);
    const archiving = archivingOf(this.platform, jobs);
    const packing = packingOf(this.platform);
    const consumers = this.group()
      .add('timers', together(this.timers, this.alerts))
      .add('content-sweep', archiving ? together(sweep, archiving) : sweep)
      .add('webhooks', this.webhooks)
      .add('changes', this.changes.keeper)
      .add('evidence', this.evidence);
    return packing ? consumers.add('packing', packing) : consumers;
  }

  private gauges(): void {
    const { registry, stores, logger, clock, productVersion } = this.platform;
    buildInfo(registry, { version: productVersion, stores: stores.leases ? 'servers' : 'embedded' });
    countJobs(registry, stores.events);
    readModelGauges(registry, stores, {
      logger,
      waitingPolls: () => this.notifier.waiting,
      isRolledBack: () => this.rollback.isRolledBack(),
      evidence: this.evidence,
      now: () => clock.now(),
    });
  }

  /** Parks the jobs of a rolled-back log before readers see the rebuilt read models. */
  private recoverAfterRollback(): void {
    const { stores, aggregates } = this.platform;
    const { events } = stores;
    stores.recoverWith?.((views, { end }) => {
      const handler = new ParkRestoredJobsHandler(this.job, aggregates, new ViewJobLists(views), events);
      return recoverRolledBack({ ...this.platform, events }, end, (command) => handler.execute(command));
    });
  }

  /** Waits up to 10 s for the read models before reporting ready. */
  private async waitForReadModels(): Promise<void> {
    const { stop } = this.platform;
    const started = performance.now();
    while (!stop.aborted && performance.now() - started < FIRST_VIEWS_MS) {
      if ((await this.readiness.check()).projections === 'ok') return;
      await setTimeout(POLL_MS);
    }
  }
}
