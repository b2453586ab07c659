import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hideCredentials } from '../kernel/credential.js';
import type { Origin } from '../kernel/recorded-event.js';
import type { Principal } from './authentication.js';
import type { OperationSpec } from './operation.js';
import type { RateCount } from './rate-limits.js';
import { surfaceOf, type Surface, type Versions } from './surfaces.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined until the request has been begun. */
    correlationId: string | undefined;
    surface: Surface;
    principal: Principal | undefined;
    /** The id of the record that a refused credential names; set when there was a credential. */
    refusedCredential: (() => Promise<string | undefined>) | undefined;
    /** Why the body could not be read, kept until it is the body's turn to be judged. */
    bodyProblem: Error | undefined;
    /** Counters this request was counted in. */
    counted: RateCount[] | undefined;
    startedAt: number;
  }
  interface FastifyContextConfig {
    operation?: OperationSpec;
  }
}

export const CORRELATION_ID = /^[A-Za-z0-9._:-]{8,128}$/;

/** It is stored and logged, so a credential sent in its place counts as not sent. */
const isCorrelationId = (given: unknown): given is string =>
  typeof given === 'string' && CORRELATION_ID.test(given) && hideCredentials(given) === given;

/** Headers every answer has, whatever comes; they cost nothing and close doors in browsers. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

export function beginnings(versions: Versions, newId: () => string) {
  const fixed = new Map<Surface, Record<string, string>>();
  const fixedHeaders = (surface: Surface) => {
    let headers = fixed.get(surface);
    if (!headers) {
      headers = { 'cache-control': 'no-store', ...SECURITY_HEADERS, ...surface.headers(versions) };
      fixed.set(surface, headers);
    }
    return headers;
  };

  /** Gives a request its surface and ids and its answer their headers; a second time does nothing. */
  return function begin(request: FastifyRequest, reply: FastifyReply): void {
    if (request.correlationId !== undefined) return;
    const given = request.headers['x-correlation-id'];
    request.correlationId = isCorrelationId(given) ? given : newId();
    request.surface = operationOf(request)?.surface ?? surfaceOf(request.raw.url ?? '/');
    request.startedAt = performance.now();
    reply.headers(fixedHeaders(request.surface));
    reply.header('x-svc-request-id', request.id);
    reply.header('x-svc-correlation-id', request.correlationId);
  };
}

export function operationOf(request: FastifyRequest): OperationSpec | undefined {
  return request.routeOptions.config?.operation;
}

/** Who caused what this request causes; goes onto every command. */
export function originOf(request: FastifyRequest): Origin {
  const { principal } = request;
  if (!principal) throw new Error('an operation without a credential has no origin');
  return {
    actor: { kind: principal.kind, id: principal.credentialId },
    correlationId: request.correlationId!,
    requestId: request.id,
  };
}

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** The principal of the request. */
export const Caller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).principal,
);

/** The `Origin` of the request. */
export const RequestOrigin = createParamDecorator((_: unknown, context: ExecutionContext) =>
  originOf(requestOf(context)),
);

/** The ids of the request, for operations without a credential. */
export const RequestIds = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = requestOf(context);
  return { requestId: request.id, correlationId: request.correlationId! };
});

/** The checked Idempotency-Key header of an operation that requires it. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).headers['idempotency-key'] as string,
);
