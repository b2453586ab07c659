import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { RateLimits } from './admission/rate-limits.js';
import { Answer, BareAnswer, SerializedData } from './answer.js';
import type { ErrorFilter } from './error.filter.js';
import { ApiError } from './errors/api-error.js';
import { fastifyOptions, timeoutsOf, type ServerOptions, type Timeouts } from './http-options.js';
import { envelope, successes } from './operation.js';

interface Wiring {
  errors: ErrorFilter;
  limits: RateLimits;
  logger: Logger;
}

/** An interceptor would cost a quarter more CPU per request (docs/decisions/038-nest-pipeline.md). */
export class HttpAdapter extends FastifyAdapter {
  readonly timeouts: Timeouts;
  private readonly wiring: Wiring;

  constructor(options: ServerOptions) {
    const wiring = {} as Wiring;
    super(fastifyOptions(options, (reply) => wiring.errors.respond(reply, new ApiError('routeUnknown'))));
    this.timeouts = timeoutsOf(options);
    this.wiring = wiring;
  }

  wire(wiring: Wiring): void {
    Object.assign(this.wiring, wiring);
  }

  override reply(...[response, body, status]: Parameters<FastifyAdapter['reply']>): FastifyReply {
    const reply = response as FastifyReply;
    if (!reply.request.operation) return super.reply(response, body, status);
    if (body instanceof Answer) return sendEnvelope(reply, body);
    if (!(body instanceof BareAnswer)) return sendEnvelope(reply, new Answer(body));
    if (body.status !== 304 || body.isCounted) return sendBare(reply, body);
    void this.sendUnchanged(reply, body);
    return reply;
  }

  /** A failing counter does not delay the answer. */
  private async sendUnchanged(reply: FastifyReply, given: BareAnswer): Promise<void> {
    try {
      await this.wiring.limits.uncountRequest(reply.request, reply);
    } catch (err) {
      this.wiring.logger.error({ err }, 'a 304 could not be taken back from its rate limit');
    }
    sendBare(reply, given);
  }
}

function sendEnvelope(reply: FastifyReply, { data, options }: Answer): FastifyReply {
  const { request } = reply;
  const { status, headers, sent } = options;
  if (sent) reply.raw.once('finish', sent);
  if (status !== undefined) reply.code(status);
  if (headers) reply.headers(headers);
  const operation = request.operation!;
  const success = successes(operation).find((each) => each.status === reply.statusCode)!;
  const ids = { request_id: request.id, correlation_id: request.correlationId };
  const body =
    data instanceof SerializedData
      ? joined(envelope(operation, success, undefined), data, ids)
      : JSON.stringify({ ...envelope(operation, success, data), ...ids });
  return reply.header('content-type', 'application/json; charset=utf-8').send(body);
}

/** The same bytes as without serialized data. */
const joined = (head: object, { json }: SerializedData, ids: object) =>
  Buffer.concat([
    Buffer.from(`${JSON.stringify(head).slice(0, -1)},"data":`),
    json,
    Buffer.from(`,${JSON.stringify(ids).slice(1)}`),
  ]);

function sendBare(reply: FastifyReply, { status, body, headers }: BareAnswer): FastifyReply {
  reply.code(status).headers(headers);
  // Destroyed because the client left: Fastify would answer 500 and report a failure.
  if (body instanceof Readable && body.destroyed) return reply.send('');
  if (!(body instanceof Uint8Array)) return reply.send(body);
  return reply.send(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
}
