import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Logger } from 'pino';
import type { BlockedSignIns } from '../../api/panel/sessions/sign-in-limits.js';
import type { DeliveryMetrics } from '../../contexts/webhooks/index.js';
import type { StoreMetrics } from '../../event-sourcing/index.js';

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
