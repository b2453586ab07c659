import { Catch, HttpException, HttpStatus, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { ConcurrencyError, UnavailableError } from '../ports/event-store.port.js';
import { failedAuthentication, showRate } from './admission/rate-control.js';
import { ApiError } from './errors/api-error.js';
import type { RateLimits } from './rate-limits.js';
import type { Surface } from './surfaces.js';

/** A refused upload is read to its end so that the client hears the answer, but not beyond this. */
const DRAIN_BYTES = 33_554_432;

const RETRY_AFTER_SECONDS = '1';

export interface RefusalOptions {
  readonly logger: Logger;
  readonly limits: RateLimits;
  readonly begin: (request: FastifyRequest, reply: FastifyReply) => void;
}

/** The one way errors leave: as a code of the surface's catalogue. What is unknown is logged and says nothing. */
export function refusals({ logger, limits, begin }: RefusalOptions) {
  async function refuse(reply: FastifyReply, thrown: unknown): Promise<void> {
    const { request } = reply;
    begin(request, reply);
    if (reply.sent) return;
    const error = known(thrown) ?? hidden(logger, request, thrown);
    if (error.key === 'unavailable' && error !== thrown) note(logger, 'warn', request, thrown);
    const entry = request.surface.errors[codeOf(request.surface, error)];
    if (entry?.status === HttpStatus.UNAUTHORIZED) return refuseCredential(reply, error);
    write(reply, error);
  }

  /** A failed authentication is counted; too many are a 429. */
  async function refuseCredential(reply: FastifyReply, error: ApiError): Promise<void> {
    const state = await failedAuthentication(limits, reply.request);
    if (state) showRate(reply, state);
    if (state?.exceeded) return write(reply, new ApiError('rateLimited'));
    reply.header('www-authenticate', 'Bearer');
    write(reply, error);
  }

  return (reply: FastifyReply, thrown: unknown): void => {
    refuse(reply, thrown).catch((failure) =>
      write(reply, known(failure) ?? hidden(logger, reply.request, failure)),
    );
  };
}

/** The body of an error on a surface. */
export function errorBody(
  surface: Surface,
  error: ApiError,
  ids: { requestId: string; correlationId: string },
) {
  const code = codeOf(surface, error);
  const { status, retryable, cause } = surface.errors[code]!;
  const body = {
    ...(surface.detailedErrors && { contract: 'svc_api_error_v1' }),
    code,
    message: error.message || cause,
    ...(surface.detailedErrors && { status }),
    retryable,
    request_id: ids.requestId,
    correlation_id: ids.correlationId,
  };
  return { status, retryable, body };
}

function write(reply: FastifyReply, error: ApiError): void {
  const { request } = reply;
  const ids = { requestId: request.id, correlationId: request.correlationId! };
  const { status, body, retryable } = errorBody(request.surface, error, ids);
  reply.code(status).headers(error.headers);
  if (status === 503 && retryable && !reply.hasHeader('retry-after'))
    reply.header('retry-after', RETRY_AFTER_SECONDS);
  if (!request.raw.complete) drain(request);
  reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
}

/** A code the surface does not have would be a hole in the catalogue: it leaves as an internal error. */
function codeOf(surface: Surface, { key }: ApiError): string {
  const code = key in surface.refusals ? surface.refusals[key as keyof Surface['refusals']] : key;
  return code in surface.errors ? code : surface.refusals.internal;
}

function known(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof UnavailableError || thrown instanceof ConcurrencyError)
    return new ApiError('unavailable');
  const status =
    thrown instanceof HttpException ? thrown.getStatus() : (thrown as { statusCode?: unknown })?.statusCode;
  if (status === HttpStatus.NOT_FOUND) return new ApiError('routeUnknown');
  if (status === HttpStatus.UNSUPPORTED_MEDIA_TYPE) return new ApiError('unsupportedMediaType');
  if (status === HttpStatus.BAD_REQUEST) return new ApiError('malformed');
  return undefined;
}

function hidden(logger: Logger, request: FastifyRequest, thrown: unknown): ApiError {
  note(logger, 'error', request, thrown);
  return new ApiError('internal');
}

function note(logger: Logger, level: 'warn' | 'error', request: FastifyRequest, thrown: unknown): void {
  const ids = { request_id: request.id, correlation_id: request.correlationId };
  logger[level]({ err: thrown, ...ids }, 'request failed');
}

/** Connections that have their answer while the request is still coming in. */
const answeredEarly = new WeakSet<object>();

export const wasAnsweredEarly = (socket: object) => answeredEarly.has(socket);

/**
 * Closing at once would reset the connection and take the answer with it; so the rest is read and forgotten. The
 * request timeout ends a slow one.
 */
function drain(request: FastifyRequest): void {
  const { raw } = request;
  let left = DRAIN_BYTES;
  answeredEarly.add(raw.socket);
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) raw.destroy();
  });
  raw.once('end', () => answeredEarly.delete(raw.socket));
}

/** What controllers throw goes the same way as everything else. */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  constructor(private readonly refuse: ReturnType<typeof refusals>) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    this.refuse(host.switchToHttp().getResponse<FastifyReply>(), thrown);
  }
}
