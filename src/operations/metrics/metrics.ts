import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { BlockedSignIns } from '../../api/panel/sessions/sign-in-limits.js';
import type { DeliveryMetrics } from '../../contexts/webhooks/index.js';
import type { StoreMetrics, EventStore, ProjectorMetrics } from '../../event-sourcing/index.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

export function buildInfo(
  registry: Registry,
  labels: { readonly version: string; readonly stores: string },
): void {
  const info = new Gauge({
    name: 'rps_build_info',
    help: 'Always 1: version of the service, its stores, version of Node.',
    labelNames: ['version', 'stores', 'node'],
    registers: [registry],
  });
  info.set({ ...labels, node: process.version }, 1);
}

export function storeMetrics(registry: Registry): StoreMetrics {
  const registers = [registry];
  const append = new Histogram({
    name: 'rps_event_append_duration_seconds',
    help: 'Time from the request for an append to its durable answer.',
    buckets: SECONDS,
    registers,
  });
  const commit = new Histogram({
    name: 'rps_commit_duration_seconds',
    help: 'Time of one commit of the writer.',
    buckets: SECONDS,
    registers,
  });
  const batch = new Histogram({
    name: 'rps_commit_batch_size',
    help: 'Requests that shared one commit.',
    buckets: SIZES,
    registers,
  });
  return {
    appended: (seconds) => append.observe(seconds),
    committed: (size, seconds) => {
      batch.observe(size);
      commit.observe(seconds);
    },
  };
}

const LAG_SECONDS = [0.005, 0.01, 0.015, 0.025, 0.05, 0.1, 0.25, 1, 5, 30, 300];

export function deliveryMetrics(registry: Registry): DeliveryMetrics {
  const registers = [registry];
  const deliveries = new Counter({
    name: 'rps_webhook_deliveries_total',
    help: 'Attempts by outcome of the delivery.',
    labelNames: ['outcome'],
    registers,
  });
  const lag = new Histogram({
    name: 'rps_webhook_delivery_lag_seconds',
    help: 'Time from an event to its first request to a webhook.',
    buckets: LAG_SECONDS,
    registers,
  });
  return {
    left: (seconds) => lag.observe(seconds),
    ended: (outcome) => deliveries.inc({ outcome }),
  };
}

/** Form of members' names; others may be passwords entered in the wrong field. */
const SIGN_IN_NAME = /^[a-z0-9][a-z0-9._-]{0,39}@[a-z0-9-]{1,60}$/;

export function countedBlocks(registry: Registry, logger: Logger): BlockedSignIns {
  const blocks = new Counter({
    name: 'rps_panel_sign_ins_blocked_total',
    help: 'Sign-in names blocked after ten wrong passwords.',
    registers: [registry],
  });
  return {
    blocked(signInName) {
      blocks.inc();
      const name = SIGN_IN_NAME.test(signInName) ? signInName : undefined;
      logger.warn({ sign_in_name: name }, 'ten wrong passwords: sign-in is blocked for 15 minutes');
    },
  };
}

const OUTCOMES = {
  JobCompleted: 'spooler_completed',
  JobFailed: 'failed',
  ManualReviewOpened: 'manual_review',
  JobCancelled: 'cancelled',
  JobExpired: 'expired',
} as const;

const isOutcome = (type: string): type is keyof typeof OUTCOMES => type in OUTCOMES;

/** Counts the jobs of all instances since the start of this one. */
export function countJobs(registry: Registry, events: EventStore): void {
  const registers = [registry];
  const created = new Counter({
    name: 'rps_jobs_created_total',
    help: 'Jobs created. Every instance counts those of all.',
    registers,
  });
  const ended = new Counter({
    name: 'rps_jobs_ended_total',
    help: 'Jobs that ended or wait for a decision, by outcome. Every instance counts those of all.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of Object.values(OUTCOMES)) ended.inc({ outcome }, 0);
  const count = (event: RecordedEvent) => {
    if (event.type === 'JobCreated') created.inc();
    else if (isOutcome(event.type) && !isRetried(event)) ended.inc({ outcome: OUTCOMES[event.type] });
  };
  events.listen({
    types: new Set(['JobCreated', ...Object.keys(OUTCOMES)]),
    appended: (appended) => appended.forEach(count),
  });
}

const isRetried = ({ data }: RecordedEvent) =>
  (data as { readonly retryState?: string }).retryState === 'scheduled';

const BATCH_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

export interface ServerStoreMetrics {
  readonly projector: ProjectorMetrics;
  interrupted(): void;
  dropped(): void;
  clientReplaced(client: string): void;
  leading(group: string, leading: boolean): void;
}

export function serverStoreMetrics(registry: Registry): ServerStoreMetrics {
  const registers = [registry];
  const interruptions = new Counter({
    name: 'rps_event_subscription_interruptions_total',
    help: 'Subscriptions to the event store that were lost or failed to start.',
    registers,
  });
  const drops = new Counter({
    name: 'rps_event_subscription_drops_total',
    help: 'Subscriptions that the event store dropped because events came in a burst.',
    registers,
  });
  const replaced = new Counter({
    name: 'rps_event_store_clients_replaced_total',
    help: 'Clients of the event store that were replaced.',
    labelNames: ['client'],
    registers,
  });
  const leader = new Gauge({
    name: 'rps_duty_leading',
    help: '1 while this instance is the leader of this group of singleton workers.',
    labelNames: ['group'],
    registers,
  });
  return {
    projector: projectorMetrics(registers),
    interrupted: () => interruptions.inc(),
    dropped: () => drops.inc(),
    clientReplaced: (client) => replaced.inc({ client }),
    leading: (group, leading) => leader.set({ group }, leading ? 1 : 0),
  };
}

function projectorMetrics(registers: Registry[]): ProjectorMetrics {
  const events = new Counter({
    name: 'rps_projection_events_total',
    help: 'Events that this instance has projected into the read models.',
    registers,
  });
  const batches = new Histogram({
    name: 'rps_projection_batch_duration_seconds',
    help: 'Time to project one batch of events into the read models.',
    buckets: BATCH_SECONDS,
    registers,
  });
  const halted = new Gauge({
    name: 'rps_projection_halted',
    help: 'Projectors of this instance that are halted at an event that cannot be applied.',
    registers,
  });
  return {
    applied(applied, seconds) {
      events.inc(applied.length);
      batches.observe(seconds);
    },
    halted: (isHalted) => (isHalted ? halted.inc() : halted.dec()),
  };
}
