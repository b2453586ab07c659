import { Catch, HttpException, HttpStatus, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RefusedBodies } from './body/refused-bodies.js';
import { Connections } from './connections.js';
import { INVALID_CURSOR } from './cursors.js';
import { RateLimits, showRate } from './admission/rate-limits.js';
import { ApiError, errorFields } from './errors/api-error.js';
import type { OperationSpec } from './operation.js';
import { RequestContext } from './request.js';
import type { Surface } from './surface.js';
import { ConcurrencyError, OutdatedPositionError, UnavailableError } from '../kernel/errors.js';

const RETRY_AFTER_SECONDS = '1';

/** The log names unknown errors; clients see only the request id. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly refusedBodies = new RefusedBodies();

  constructor(
    private readonly limits: RateLimits,
    private readonly context: RequestContext,
    private readonly connections: Connections,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    this.respond(host.switchToHttp().getResponse<FastifyReply>(), thrown);
  }

  respond(reply: FastifyReply, thrown: unknown): void {
    this.answer(reply, thrown).catch((failure) => this.write(reply, this.apiError(reply.request, failure)));
  }

  private async answer(reply: FastifyReply, thrown: unknown): Promise<void> {
    const { request } = reply;
    this.context.begin(request, reply);
    if (reply.sent) return;
    const error = this.apiError(request, thrown);
    if (error.key === 'unavailable' && error !== thrown) request.failure = thrown;
    const entry = request.surface.errors[codeOf(request.surface, error)];
    if (entry?.status !== HttpStatus.UNAUTHORIZED) return this.write(reply, error);

    const rate = await this.limits.failedAuthentication(request);
    const isLast = this.connections.hasFailedTooOften(request, rate?.exceeded === true);
    if (isLast) reply.header('connection', 'close');
    if (rate) showRate(reply, rate);
    if (rate?.exceeded) return this.write(reply, new ApiError('rateLimited'));
    reply.header('www-authenticate', 'Bearer');
    this.write(reply, error);
  }

  private write(reply: FastifyReply, error: ApiError): void {
    const { request } = reply;
    const ids = { requestId: request.id, correlationId: request.correlationId! };
    const { status, body, retryable } = errorBody(request.surface, error, ids, request.operation);
    reply.code(status).headers(error.headers);
    if (status === 503 && retryable && !reply.hasHeader('retry-after'))
      reply.header('retry-after', RETRY_AFTER_SECONDS);
    if (!request.raw.complete) this.refusedBodies.read(request);
    reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body));
  }

  private apiError(request: FastifyRequest, thrown: unknown): ApiError {
    const error = known(thrown);
    if (!error) request.failure = thrown;
    return error ?? new ApiError('internal');
  }
}

export function errorBody(
  surface: Surface,
  error: ApiError,
  { requestId, correlationId }: { requestId: string; correlationId: string },
  operation?: OperationSpec,
) {
  const code = codeOf(surface, error);
  const { retryable, cause, ...entry } = surface.errors[code]!;
  const status = operation?.statuses?.[code] ?? entry.status;
  const answered = { code, message: error.message || cause, status, retryable };
  const body = { ...errorFields(surface, answered), request_id: requestId, correlation_id: correlationId };
  return { status, retryable, body };
}

/** A code missing in the surface's catalogue is answered as an internal error. */
function codeOf(surface: Surface, { key }: ApiError): string {
  const code = key in surface.refusals ? surface.refusals[key as keyof Surface['refusals']] : key;
  return code in surface.errors ? code : surface.refusals.internal;
}

function known(thrown: unknown): ApiError | undefined {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof UnavailableError || thrown instanceof ConcurrencyError)
    return new ApiError('unavailable');
  // Positions come from clients in cursors only.
  if (thrown instanceof OutdatedPositionError) return new ApiError('invalid', `cursor ${INVALID_CURSOR}.`);
  const status = thrown instanceof HttpException ? thrown.getStatus() : undefined;
  if (status === HttpStatus.NOT_FOUND) return new ApiError('routeUnknown');
  if (status === HttpStatus.UNSUPPORTED_MEDIA_TYPE) return new ApiError('unsupportedMediaType');
  if (status === HttpStatus.BAD_REQUEST) return new ApiError('malformed');
  return undefined;
}
