import { Counter, Histogram, type Registry } from 'prom-client';
import type { StoreMetrics } from '../ports/event-store.port.js';
import type { DeliveryMetrics } from '../contexts/webhooks/index.js';

const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1];
const SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512];

/** Histograms of the event store: append duration and requests per commit. */
export function storeMetrics(registry: Registry): StoreMetrics {
  const registers = [registry];
  const append = new Histogram({
    name: 'event_append_duration_seconds',
    help: 'Time from the request for an append to its durable answer.',
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

/** Webhooks: outcome of attempts, and lag from the event to the first request. */
export function deliveryMetrics(registry: Registry): DeliveryMetrics {
  const registers = [registry];
  const deliveries = new Counter({
    name: 'webhook_deliveries_total',
    help: 'Attempts by outcome of the delivery.',
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
