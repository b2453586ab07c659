import type { Logger } from 'pino';
import type { Config } from '../config.js';
import type { ProjectorMetrics, StoreMetrics } from '../event-sourcing/index.js';
import { UnavailableError } from '../kernel/errors.js';
import type { RecordedEvent } from '../kernel/recorded-event.js';
import type { Tracing } from '../kernel/tracing.js';
import { retriedFailures } from './retried-failures.js';

/** Loads OpenTelemetry only if a collector is configured. */
export async function tracingOf(
  { tracing }: Pick<Config, 'tracing'>,
  serviceVersion: string,
  logger: Logger,
): Promise<Tracing | undefined> {
  if (!tracing) return undefined;
  const { OtlpTracing } = await import('../operations/tracing/otlp-tracing.js');
  const failures = retriedFailures(logger);
  const onError = ({ message }: Error) =>
    failures(new UnavailableError(message), 'the collector did not take traces; these spans are lost');
  const service = { 'service.name': tracing.serviceName, 'service.version': serviceVersion };
  return new OtlpTracing(tracing.endpoint, service, onError);
}

/** The embedded store projects in the transaction of the append. */
export function tracedAppends(metrics: StoreMetrics, tracing: Tracing | undefined): StoreMetrics {
  if (!tracing) return metrics;
  return {
    ...metrics,
    appended(seconds, appended = []) {
      metrics.appended(seconds, appended);
      traceProjection(
        tracing,
        appended.flatMap(({ events }) => events),
        seconds,
      );
    },
  };
}

export function tracedProjector(metrics: ProjectorMetrics, tracing: Tracing | undefined): ProjectorMetrics {
  if (!tracing) return metrics;
  return {
    ...metrics,
    applied(events, seconds) {
      metrics.applied(events, seconds);
      traceProjection(tracing, events, seconds);
    },
  };
}

/** One span for each request whose events the read models now show. */
function traceProjection(tracing: Tracing, events: readonly RecordedEvent[], seconds: number): void {
  const startedAt = Date.now() - 1000 * seconds;
  const traced = events.filter(({ metadata }) => metadata.traceparent !== undefined);
  for (const parent of new Set(traced.map(({ metadata }) => metadata.traceparent))) {
    const types = traced.filter(({ metadata }) => metadata.traceparent === parent).map(({ type }) => type);
    const span = tracing.start({ name: 'project', kind: 'internal', parent, startedAt });
    span?.end({ 'rps.events': [...new Set(types)].join(' ') });
  }
}
