import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hideCredentials } from '../kernel/credential.js';
import type { Origin } from '../kernel/recorded-event.js';
import type { Principal } from './authentication.js';
import type { OperationSpec } from './operation.js';
import type { RateCount } from './admission/rate-limits.js';
import { surfaceOf, type Surface, type Versions } from './surface.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined until `requestContext` has run. */
    correlationId: string | undefined;
    surface: Surface;
    /** Undefined for paths that are no operation, and until `requestContext` has run. */
    operation: OperationSpec | undefined;
    principal: Principal | undefined;
    /** Id of the record named by a refused credential, if there was one. */
    refusedCredential: (() => Promise<string | undefined>) | undefined;
    /** Why the body could not be read; thrown later by the content checks. */
    bodyProblem: Error | undefined;
    /** An unknown error or an outage behind the answer, for the log. */
    failure: unknown;
    /** Counters of this request. */
    counted: RateCount[] | undefined;
    startedAt: number;
  }
  interface FastifyContextConfig {
    operation?: OperationSpec;
  }
}

export const CORRELATION_ID = /^[A-Za-z0-9._:-]{8,128}$/;

/** Correlation ids are stored and logged, so a credential sent as one is ignored. */
const isCorrelationId = (given: unknown): given is string =>
  typeof given === 'string' && CORRELATION_ID.test(given) && hideCredentials(given) === given;

/** Headers of every answer of a surface, besides its ids. */
export const headersOfAnswer = (surface: Surface, versions: Versions) => ({
  'cache-control': 'no-store',
  ...SECURITY_HEADERS,
  ...surface.headers(versions),
});

/** For browsers. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

interface RequestContextOptions {
  readonly surfaces: readonly Surface[];
  readonly versions: Versions;
  readonly newId: () => string;
}

export type RequestContext = ReturnType<typeof requestContext>;

/** Sets surface, ids and response headers of a request; a second call does nothing. */
export function requestContext({ surfaces, versions, newId }: RequestContextOptions) {
  const fixed = new Map(surfaces.map((surface) => [surface, headersOfAnswer(surface, versions)]));

  return (request: FastifyRequest, reply: FastifyReply): void => {
    if (request.correlationId !== undefined) return;
    const given = request.headers['x-correlation-id'];
    request.correlationId = isCorrelationId(given) ? given : newId();
    request.operation = request.routeOptions.config?.operation;
    request.surface = request.operation?.surface ?? surfaceOf(surfaces, request.raw.url ?? '/');
    request.startedAt = performance.now();
    reply.headers(fixed.get(request.surface)!);
    reply.header('x-svc-request-id', request.id);
    reply.header('x-svc-correlation-id', request.correlationId);
  };
}

/** Actor and ids of every command of this request. */
export function originOf(request: FastifyRequest): Origin {
  const { principal } = request;
  if (!principal) throw new Error('an operation without a credential has no origin');
  return {
    actor: { kind: principal.kind, id: principal.actorId ?? principal.credentialId },
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

/** The validated Idempotency-Key of an operation that requires it. */
export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).headers['idempotency-key'] as string,
);
