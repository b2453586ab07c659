import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from './polling.js';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
}

type Attribute = { readonly key: string; readonly value: Value };

/** A span as OTLP/HTTP in JSON brings it. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly kind: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, string | number>>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly kind: number;
  readonly status?: { readonly code?: number };
  readonly attributes: readonly Attribute[];
}

const STATUS_ERROR = 2;

/** A collector of OpenTelemetry traces over OTLP/HTTP: `POST /v1/traces`. */
export class OtlpCollector {
  readonly spans: CollectedSpan[] = [];
  private held: ServerResponse[] | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<OtlpCollector> {
    const server = createServer();
    const collector = new OtlpCollector(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => collector.take(request.url ?? '', Buffer.concat(chunks), response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The spans of a trace, once they are all there. */
  trace(traceId: string, isWhole: (spans: readonly CollectedSpan[]) => boolean): Promise<CollectedSpan[]> {
    const found = () => this.spans.filter((span) => span.traceId === traceId);
    const what = () =>
      `further spans than ${found()
        .map(({ name }) => name)
        .join(', ')}`;
    return until(what, 20_000, () => Promise.resolve(isWhole(found()) ? found() : undefined));
  }

  /** Takes spans without an answer until `answer`. */
  hold(): void {
    this.held = [];
  }

  answer(): void {
    for (const response of this.held ?? []) accept(response);
    this.held = undefined;
  }

  async close(): Promise<void> {
    this.answer();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  private take(path: string, body: Buffer, response: ServerResponse): void {
    if (path !== '/v1/traces') return void response.writeHead(404).end();
    const { resourceSpans } = JSON.parse(body.toString()) as Export;
    for (const { resource, scopeSpans } of resourceSpans) {
      const service = String(valuesOf(resource.attributes)['service.name']);
      this.spans.push(...scopeSpans.flatMap(({ spans }) => spans.map((span) => collected(span, service))));
    }
    if (this.held) this.held.push(response);
    else accept(response);
  }
}

const accept = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');

function collected(span: SentSpan, service: string): CollectedSpan {
  const { name, traceId, spanId, parentSpanId = '', kind, status, attributes } = span;
  const failed = status?.code === STATUS_ERROR;
  return { service, name, traceId, spanId, parentSpanId, kind, failed, attributes: valuesOf(attributes) };
}

const valuesOf = (attributes: readonly Attribute[]) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );
