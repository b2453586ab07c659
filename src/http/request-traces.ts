import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Tracing } from '../kernel/tracing.js';

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
  fastify.addHook('onResponse', (request, { statusCode }, done) => {
    if (request.principal && statusCode !== 429) endSpan(request, statusCode);
    done();
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
