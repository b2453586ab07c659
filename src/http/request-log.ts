import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { hideCredentials } from '../kernel/credential.js';
import type { HttpMetrics } from './http-metrics.js';

/**
 * Writes one log line and one observation per answer, without headers, query and body, which contain secrets
 * and documents.
 */
export function requestLog(logger: Logger, metrics: HttpMetrics | undefined) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    const { statusCode } = reply;
    const operation = request.routeOptions.config?.operation;
    const ms = performance.now() - (request.startedAt ?? performance.now());
    metrics?.observe(operation?.id ?? 'none', statusCode, ms / 1000);
    const level = statusCode >= 500 ? 'error' : 'info';
    if (logger.isLevelEnabled(level)) {
      logger[level](
        {
          request_id: request.id,
          correlation_id: request.correlationId,
          operation: operation?.id,
          method: request.method,
          path: operation ? pathOf(request.raw.url ?? '') : undefined,
          status: statusCode,
          ms: Math.round(ms * 100) / 100,
          err: request.failure,
          by: request.principal && `${request.principal.kind}:${request.principal.credentialId}`,
        },
        'request',
      );
    }
    done();
  };
}

/** The path as sent, or decoded if percent signs could hide a credential. */
function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return path.includes('%') ? hideCredentials(decodeURIComponent(path)) : hideCredentials(path);
}
