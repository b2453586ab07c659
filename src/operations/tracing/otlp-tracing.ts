import * as api from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Span, SpanStart, Tracing } from '../../kernel/tracing.js';

/** Spans that wait for the collector, about 1 KB each; further ones are dropped. */
const MAX_WAITING = 2048;
const EXPORT_EVERY_MS = 1_000;

const KINDS = { server: api.SpanKind.SERVER, client: api.SpanKind.CLIENT, internal: api.SpanKind.INTERNAL };
/** https://www.w3.org/TR/trace-context/#traceparent-header: later versions may have more fields. */
const TRACEPARENT =
  /^(?!ff)(?<version>[\da-f]{2})-(?!0{32})(?<traceId>[\da-f]{32})-(?!0{16})(?<spanId>[\da-f]{16})-(?<flags>[\da-f]{2})(?<more>-.*)?$/;

/** Exports over OTLP/HTTP. The sampler is that of OTEL_TRACES_SAMPLER, which the SDK reads. */
export class OtlpTracing implements Tracing {
  private readonly provider: BasicTracerProvider;

  /** @param endpoint of the collector, which receives `POST <endpoint>/v1/traces` @param service its attributes */
  constructor(endpoint: string, service: Readonly<Record<string, string>>, onError: (error: Error) => void) {
    const exporter = new ReportingExporter(onError, { url: `${endpoint}/v1/traces` });
    const queue = { maxQueueSize: MAX_WAITING, scheduledDelayMillis: EXPORT_EVERY_MS };
    const spanProcessors = [new BatchSpanProcessor(exporter, queue)];
    this.provider = new BasicTracerProvider({ resource: resourceOf(service), spanProcessors });
  }

  start({ name, kind, parent, begins = false, startedAt }: SpanStart): Span | undefined {
    const remote = contextOf(parent);
    if (!remote && !begins) return undefined;
    const context = remote ? api.trace.setSpanContext(api.ROOT_CONTEXT, remote) : api.ROOT_CONTEXT;
    const tracer = this.provider.getTracer('remote-printing-service');
    const span = tracer.startSpan(name, { kind: KINDS[kind], startTime: startedAt }, context);
    if (!span.isRecording()) return undefined;
    const { traceId, spanId } = span.spanContext();
    return {
      traceparent: `00-${traceId}-${spanId}-01`,
      end(attributes, isFailed = false) {
        span.setAttributes(attributes);
        if (isFailed) span.setStatus({ code: api.SpanStatusCode.ERROR });
        span.end();
      },
    };
  }

  close(): Promise<void> {
    return this.provider.shutdown().catch(() => undefined); // Its failures were reported.
  }
}

function contextOf(traceparent: string | undefined): api.SpanContext | undefined {
  const parts = TRACEPARENT.exec(traceparent ?? '')?.groups;
  if (!parts || (parts.version === '00' && parts.more !== undefined)) return undefined;
  const traceFlags = Number.parseInt(parts.flags!, 16) & api.TraceFlags.SAMPLED;
  return { traceId: parts.traceId!, spanId: parts.spanId!, traceFlags, isRemote: true };
}

/** The SDK keeps failures to itself. */
class ReportingExporter extends OTLPTraceExporter {
  constructor(
    private readonly onError: (error: Error) => void,
    config: { readonly url: string },
  ) {
    super(config);
  }

  override export(...[spans, done]: Parameters<OTLPTraceExporter['export']>): void {
    super.export(spans, (result) => {
      if (result.error) this.onError(result.error);
      done(result);
    });
  }
}

function resourceOf(attributes: Readonly<Record<string, string>>) {
  const resource = { attributes, merge: () => resource, getRawAttributes: () => Object.entries(attributes) };
  return resource;
}
