/** W3C Trace Context of a sampled span. Others have none, so what is not sampled stores and sends nothing. */
export type Traceparent = string;

export const TRACEPARENT = /^00-[\da-f]{32}-[\da-f]{16}-01$/;

export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'internal';
  /** From another process or a stored event; one that is invalid counts as none. */
  readonly parent?: string | undefined;
  /** Without a parent the span begins a trace; default: there is no span then. */
  readonly begins?: boolean;
  /** Milliseconds since 1970; default: now. */
  readonly startedAt?: number;
}

export interface Span {
  readonly traceparent: Traceparent;
  /** A span that never ends is not exported. */
  end(attributes: Readonly<Record<string, string | number | undefined>>, isFailed?: boolean): void;
}

/** OpenTelemetry traces; absent without a collector. */
export interface Tracing {
  start(span: SpanStart): Span | undefined;
  /** Exports the spans that wait; never rejects, but takes ten seconds if the collector is gone. */
  close(): Promise<void>;
}
