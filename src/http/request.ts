import { createParamDecorator, Injectable, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hideCredentials } from '../kernel/credential.js';
import type { Origin } from '../kernel/recorded-event.js';
import { Randomness } from '../kernel/ids.js';
import type { Span } from '../kernel/tracing.js';
import type { Principal } from './authentication.js';
import { HttpOptions } from './http-options.js';
import type { OperationSpec } from './operation.js';
import type { RateCount, RateState } from './admission/rate-limits.js';
import { surfaceOf, type Surface, type Versions } from './surface.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined until `RequestContext` has run. */
    correlationId: string | undefined;
    surface: Surface;
    /** Also undefined for paths that are no operation. */
    operation: OperationSpec | undefined;
    principal: Principal | undefined;
    refusedCredential: (() => Promise<string | undefined>) | undefined;
    /** It comes in chunks and names no type that is read. */
    mustBeEmpty: boolean | undefined;
    /** Thrown later by the content checks. */
    bodyProblem: Error | undefined;
    /** Ends the place of a large body among those of its owner. */
    freeBody: (() => void) | undefined;
    failure: unknown;
    counted: RateCount[] | undefined;
    /** Of the tightest of its limits. */
    rate: RateState | undefined;
    startedAt: number;
    /** Only of a sampled trace. */
    span: Span | undefined;
  }
  interface FastifyContextConfig {
    operation?: OperationSpec;
  }
}

export const CORRELATION_ID = /^[A-Za-z0-9._:-]{8,128}$/;

/** Correlation ids are stored and logged, so a credential sent as one is ignored. */
const isCorrelationId = (given: unknown): given is string =>
  typeof given === 'string' && CORRELATION_ID.test(given) && hideCredentials(given) === given;

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
};

@Injectable()
export class RequestContext {
  readonly versions: Versions;
  private readonly headers: ReadonlyMap<Surface, Readonly<Record<string, string>>>;

  constructor(
    private readonly options: HttpOptions,
    private readonly randomness: Randomness,
  ) {
    const versions: Versions = { product: options.productVersion, contract: 'v1', schema: 23 };
    const headersOf = (surface: Surface) => ({
      'cache-control': 'no-store',
      ...SECURITY_HEADERS,
      ...surface.headers(versions),
    });
    this.versions = versions;
    this.headers = new Map(options.surfaces.map((surface) => [surface, headersOf(surface)]));
  }

  begin(request: FastifyRequest, reply: FastifyReply): void {
    if (request.correlationId !== undefined) return;
    const given = request.headers['x-correlation-id'];
    request.correlationId = isCorrelationId(given) ? given : this.newId();
    request.operation = request.routeOptions.config?.operation;
    request.surface = request.operation?.surface ?? this.surfaceAt(request.raw.url ?? '/');
    request.startedAt = performance.now();
    reply.headers(this.headersOf(request.surface));
    reply.header('x-svc-request-id', request.id);
    reply.header('x-svc-correlation-id', request.correlationId);
  }

  newId(): string {
    return this.randomness.uuid();
  }

  surfaceAt(url: string): Surface {
    return surfaceOf(this.options.surfaces, url);
  }

  headersOf(surface: Surface): Readonly<Record<string, string>> {
    return this.headers.get(surface)!;
  }
}

export function originOf(request: FastifyRequest): Origin {
  const { principal, span } = request;
  if (!principal) throw new Error('an operation without a credential has no origin');
  return {
    actor: { kind: principal.kind, id: principal.actorId ?? principal.credentialId },
    correlationId: request.correlationId!,
    requestId: request.id,
    ...(span && { traceparent: span.traceparent }),
  };
}

/** Who answers for the memory and the time that a request takes. */
export function ownerOf({ principal, ip }: FastifyRequest): string {
  return principal?.accountId ?? principal?.partnerId ?? principal?.credentialId ?? ip;
}

const requestOf = (context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>();

/** A principal as the author of events. */
export type Calling<P extends Principal = Principal> = P & { readonly by: Origin };

export const Caller = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const request = requestOf(context);
  return { ...request.principal, by: originOf(request) };
});

export const IdempotencyKey = createParamDecorator(
  (_: unknown, context: ExecutionContext) => requestOf(context).headers['idempotency-key'] as string,
);

/** A half-closed connection also counts. Returns a function that stops; `leave` may be called twice. */
export function onHangUp({ raw: { socket } }: FastifyRequest, leave: () => void): () => void {
  if (socket.readableEnded || socket.destroyed) leave();
  socket.on('end', leave).on('close', leave);
  return () => void socket.off('end', leave).off('close', leave);
}
