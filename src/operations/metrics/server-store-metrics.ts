import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ProjectorMetrics } from '../../event-sourcing/index.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

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
    buckets: SECONDS,
    registers,
  });
  const halted = new Gauge({
    name: 'rps_projection_halted',
    help: '1 while projection is halted at an event that cannot be applied.',
    registers,
  });
  return {
    applied(count, seconds) {
      events.inc(count);
      batches.observe(seconds);
    },
    halted: (isHalted) => halted.set(isHalted ? 1 : 0),
  };
}
