import type { Tracer } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { AgentConfig } from './config.js';
import type { Lease } from './service/protocol.js';
import { AGENT_VERSION } from './version.js';

export interface Span {
  readonly traceparent: string;
  end(isFailed?: boolean): void;
}

/** Spans of the Agent's work on jobs whose leases name a trace. */
export interface Tracing {
  start(name: string, lease: Lease): Span | undefined;
  /** Exports the spans that wait, for two seconds at most. */
  close(): Promise<void>;
}

const MAX_WAITING = 2048;
const EXPORT_EVERY_MS = 1_000;
const LAST_SPANS_MS = 2_000;
const TRACEPARENT = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

/**
 * Loads OpenTelemetry only if a collector is configured; undefined otherwise. The variable may be meant for other
 * programs of the computer, so an address without http only causes a warning.
 */
export async function openTracing(
  { traces }: Pick<AgentConfig, 'traces'>,
  log: Logger,
): Promise<Tracing | undefined> {
  if (!traces) return undefined;
  const { collector, name } = traces;
  if (!/^https?:/.test(collector) || !URL.canParse(collector)) {
    log.warn({ collector }, 'OTEL_EXPORTER_OTLP_ENDPOINT is not an http(s) URL; nothing is traced');
    return undefined;
  }
  const [{ OTLPTraceExporter }, { BasicTracerProvider, BatchSpanProcessor }, api] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/api'),
  ]);
  const exporter = new OTLPTraceExporter({ url: `${collector}/v1/traces` });
  const queue = { maxQueueSize: MAX_WAITING, scheduledDelayMillis: EXPORT_EVERY_MS };
  const provider = new BasicTracerProvider({
    resource: resourceOf({
      'service.name': name,
      'service.version': AGENT_VERSION,
    }),
    spanProcessors: [new BatchSpanProcessor(exporter, queue)],
  });
  log.info({ collector }, 'traces of jobs are exported');
  const tracer = provider.getTracer('remote-printing-agent', AGENT_VERSION);
  return {
    start: (span, lease) => startSpan(span, lease, tracer, api),
    close: () => Promise.race([provider.shutdown().catch(() => undefined), after(LAST_SPANS_MS)]),
  };
}

function startSpan(
  name: string,
  { traceparent = '', job_id, printer_key, content_type }: Lease,
  tracer: Tracer,
  { ROOT_CONTEXT, SpanStatusCode, trace }: typeof import('@opentelemetry/api'),
): Span | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  const parent = { traceId, spanId, traceFlags: Number.parseInt(flags ?? '', 16), isRemote: true };
  const attributes = {
    'rps.job_id': job_id,
    'rps.printer_key': printer_key,
    'rps.content_type': content_type,
  };
  const span = tracer.startSpan(name, { attributes }, trace.setSpanContext(ROOT_CONTEXT, parent));
  if (!span.isRecording()) return undefined;
  return {
    traceparent: `00-${traceId}-${span.spanContext().spanId}-01`,
    end: (isFailed = false) => {
      if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function resourceOf(attributes: Record<string, string>) {
  const resource = {
    attributes: { ...attributes, 'telemetry.sdk.language': 'nodejs', 'telemetry.sdk.name': 'opentelemetry' },
    merge: () => resource,
    getRawAttributes: () => Object.entries(resource.attributes),
  };
  return resource;
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
