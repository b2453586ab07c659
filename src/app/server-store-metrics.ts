import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { ProjectorMetrics } from '../event-sourcing/projections/view-projector.js';

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** What an operator of several instances watches: who does what, and whether the read models follow. */
export interface ServerStoreMetrics {
  readonly projector: ProjectorMetrics;
  interrupted(): void;
  clientReplaced(client: string): void;
  leading(group: string, leading: boolean): void;
}

export function serverStoreMetrics(registry: Registry): ServerStoreMetrics {
  const registers = [registry];
  const interruptions = new Counter({
    name: 'event_subscription_interruptions_total',
    help: 'Subscriptions to the event store that were lost, or could not be made.',
    registers,
  });
  const replaced = new Counter({
    name: 'event_store_clients_replaced_total',
    help: 'Clients of the event store that were given up for a new one.',
    labelNames: ['client'],
    registers,
  });
  const duty = new Gauge({
    name: 'duty_leading',
    help: '1 while this instance does what only one instance does at a time.',
    labelNames: ['group'],
    registers,
  });
  return {
    projector: projectorMetrics(registers),
    interrupted: () => interruptions.inc(),
    clientReplaced: (client) => replaced.inc({ client }),
    leading: (group, leading) => duty.set({ group }, leading ? 1 : 0),
  };
}

function projectorMetrics(registers: Registry[]): ProjectorMetrics {
  const events = new Counter({
    name: 'projection_events_total',
    help: 'Events that this instance has put into the read models.',
    registers,
  });
  const batches = new Histogram({
    name: 'projection_batch_duration_seconds',
    help: 'From a batch of events to read models that show it.',
    buckets: SECONDS,
    registers,
  });
  const halted = new Gauge({
    name: 'projection_halted',
    help: '1 while the read models stand still at an event that cannot be folded.',
    registers,
  });
  return {
    applied(count, seconds) {
      events.inc(count);
      batches.observe(seconds);
    },
    halted: (standing) => halted.set(standing ? 1 : 0),
  };
}
