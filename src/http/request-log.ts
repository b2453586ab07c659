import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import { hideCredentials } from '../kernel/credential.js';
import type { Span, Tracing } from '../kernel/tracing.js';
import type { HttpOptions } from './http-options.js';
import type { OperationSpec } from './operation.js';
import { pathOf } from './surface.js';

type Ended = (request: FastifyRequest, reply: Pick<FastifyReply, 'statusCode'>) => void;

/** Calls `ended` once for each request, also if its client has left: for Fastify that is no response. */
export function onEnd(fastify: FastifyInstance, ended: Ended): void {
  const left = new WeakSet<FastifyRequest>();
  fastify.addHook('onSend', (request, reply, _, done) => {
    // Sent again if it could not be written.
    if (reply.raw.destroyed && !left.has(request)) {
      left.add(request);
      ended(request, reply);
    }
    done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    if (!left.has(request)) ended(request, reply);
    done();
  });
}

/** Omits headers, query and body, which contain secrets and documents. */
export function requestLog(logger: Logger, metrics: HttpOptions['metrics']): Ended {
  return (request, { statusCode }) => {
    const operation = request.operation;
    const ms = performance.now() - (request.startedAt ?? performance.now());
    metrics?.observe(operation?.id ?? 'none', statusCode, ms / 1000);
    const level = levelOf(operation, statusCode);
    if (logger.isLevelEnabled(level)) {
      logger[level](
        {
          request_id: request.id,
          correlation_id: request.correlationId,
          operation: operation?.id,
          method: request.method,
          path: operation && shownPath(operation, request.raw.url ?? ''),
          status: statusCode,
          ms: Math.round(ms * 100) / 100,
          err: request.failure,
          traceparent: request.span?.traceparent,
          by:
            request.principal &&
            `${request.principal.kind}:${request.principal.actorId ?? request.principal.credentialId}`,
        },
        'request',
      );
    }
  };
}

const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

/** An idle poll has no news, and would hide the lines that have. */
function levelOf(operation: OperationSpec | undefined, status: number): 'debug' | 'info' | 'error' {
  if (status >= 500) return 'error';
  if (status === NO_CONTENT || status === NOT_MODIFIED) return 'debug';
  return operation?.isRoutine && status < 300 ? 'debug' : 'info';
}

/** As sent, or decoded if percent signs could hide a credential. */
function shownPath({ route }: OperationSpec, url: string): string {
  const path = pathOf(url);
  if (!route.includes(':') && !path.includes('%')) return path;
  return path.includes('%') ? hideCredentials(decodeURIComponent(path)) : hideCredentials(path);
}

const BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30];

export class HttpMetrics {
  readonly #histogram: Histogram<'operation' | 'status'>;

  constructor(registry: Registry) {
    this.#histogram = new Histogram({
      name: 'rps_http_request_duration_seconds',
      help: 'Time from the end of the request head to the end of the answer, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: BUCKETS_SECONDS,
      registers: [registry],
    });
  }

  observe(operation: string, status: number, seconds: number): void {
    this.#histogram.observe({ operation, status: String(status) }, seconds);
  }
}

/**
 * Spans of requests. A client's `traceparent` is continued; without one a request begins a trace. The calls of Agents
 * and of supervisors, which poll all the time, begin none. Requests without a valid credential, or above a limit, are
 * not exported: they would take the places of others in the queue.
 */
export function traceRequests(fastify: FastifyInstance, tracing: Tracing): void {
  fastify.addHook('onRequest', (request, _, done) => {
    request.span = spanOf(request, tracing);
    done();
  });
  onEnd(fastify, (request, { statusCode }) => {
    if (request.principal && statusCode !== 429) endSpan(request, statusCode);
  });
}

function spanOf({ operation, headers }: FastifyRequest, tracing: Tracing): Span | undefined {
  if (!operation) return undefined;
  const begins = !operation.surface.beginsNoTraces && operation.route.includes(' /v1/');
  const parent = headers.traceparent as string | undefined;
  return tracing.start({ name: operation.route, kind: 'server', parent, begins });
}

function endSpan({ span, method, operation, id, principal }: FastifyRequest, status: number): void {
  const ids = {
    'rps.operation': operation?.id,
    'rps.request_id': id,
    'rps.account_id': principal?.accountId,
  };
  const http = { 'http.request.method': method, 'http.response.status_code': status };
  span?.end({ ...ids, ...http }, status >= 500);
}
