import { Counter, type Registry } from 'prom-client';
import type { EventStore } from '../../event-sourcing/index.js';
import type { RecordedEvent } from '../../kernel/recorded-event.js';

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
