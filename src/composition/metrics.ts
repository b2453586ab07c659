import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { StoreMetrics } from '../ports/store-metrics.port.js';
import type { ViewMaintenance } from '../ports/view-maintenance.port.js';
import { JOB_STATUSES } from '../../projections/job-view/job-view.js';
import { JobQueries } from '../../projections/job-view/job-view.queries.js';
import { DeliveryQueries } from '../../projections/webhook-deliveries/webhook-deliveries.queries.js';
import type { DeliveryMetrics } from '../contexts/webhooks/index.js';
import type { ViewStore } from '../ports/view-store.port.js';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Histograms of the event store: how long appends take and how many share a commit. */
export function storeMetrics(registry: Registry): StoreMetrics {
  const registers = [registry];
  const append = new Histogram({
    name: 'event_append_duration_seconds',
    help: 'Time from asking for an append to its durable answer.',
    buckets: SECONDS,
    registers,
  });
  const commit = new Histogram({
    name: 'commit_duration_seconds',
    help: 'Time of one commit of the writer.',
    buckets: SECONDS,
    registers,
  });
  const batch = new Histogram({
    name: 'commit_batch_size',
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

/** Webhooks: how attempts end, and how soon receivers are told. */
export function deliveryMetrics(registry: Registry): DeliveryMetrics {
  const registers = [registry];
  const deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Attempts by what became of the delivery.',
    labelNames: ['outcome'],
    registers,
  });
  const lag = new Histogram({
    name: 'webhook_delivery_lag_seconds',
    help: 'Time from an event to its first request to a webhook.',
    buckets: LAG_SECONDS,
    registers,
  });
  return {
    left: (seconds) => lag.observe(seconds),
    ended: (outcome) => deliveries.inc({ outcome }),
  };
}

/** Gauges that are asked for when Prometheus asks: projections, queue, jobs. */
export function readModelGauges(
  registry: Registry,
  { views, maintenance }: { readonly views: ViewStore; readonly maintenance: ViewMaintenance },
  waitingPolls: () => number,
): void {
  collectDefaultMetrics({ register: registry });
  projectionGauges(registry, maintenance);
  jobGauges(registry, views);
  deliveryGauges(registry, views);
  new Gauge({
    name: 'agent_polls_waiting',
    help: 'Agents waiting for work in a long poll.',
    registers: [registry],
    collect() {
      this.set(waitingPolls());
    },
  });
}

function projectionGauges(registry: Registry, maintenance: ViewMaintenance): void {
  const registers = [registry];
  const position = new Gauge({
    name: 'projection_position',
    help: 'Position of the last event seen.',
    labelNames: ['view'],
    registers,
  });
  new Gauge({
    name: 'projection_lag_events',
    help: 'Events a view is behind.',
    labelNames: ['view'],
    registers,
    async collect() {
      for (const view of await maintenance.list()) {
        this.set({ view: view.name }, view.lag);
        position.set({ view: view.name }, Number(view.position ?? 0));
      }
    },
  });
}

function jobGauges(registry: Registry, views: ViewStore): void {
  const registers = [registry];
  const jobs = new JobQueries(views);
  new Gauge({
    name: 'jobs',
    help: 'Jobs by status.',
    labelNames: ['status'],
    registers,
    async collect() {
      for (const status of JOB_STATUSES) this.set({ status }, await jobs.countInStatus(status));
    },
  });
  new Gauge({
    name: 'job_queue_depth',
    help: 'Jobs waiting for an agent.',
    registers,
    async collect() {
      this.set(await jobs.countInStatus('queued'));
    },
  });
}

function deliveryGauges(registry: Registry, views: ViewStore): void {
  const deliveries = new DeliveryQueries(views);
  new Gauge({
    name: 'webhook_deliveries_pending',
    help: 'Deliveries not finished: ready to leave, waiting for a retry, in flight.',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      for (const queue of ['ready', 'waiting', 'in_flight'] as const) {
        this.set({ queue }, await deliveries.countIn(queue));
      }
    },
  });
}
