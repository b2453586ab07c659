import type { FastifyReply } from 'fastify';
import type { Readable } from 'node:stream';
import { operationOf } from './request.js';
import { successes } from './operation.js';

export interface AnswerOptions {
  readonly status?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a controller returns: a code and data for the surface's envelope. */
export class Answer {
  constructor(
    readonly code: string,
    readonly data: unknown,
    readonly options: AnswerOptions = {},
  ) {}
}

/** A body without envelope: document bytes, metrics text; or none at all (204, 304). */
export class BareAnswer {
  constructor(
    readonly status: number,
    readonly body?: string | Uint8Array | Readable,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {}
}

export const answer = (code: string, data: unknown, options?: AnswerOptions) =>
  new Answer(code, data, options);

/** 304: not counted by the rate limit. */
export const notModified = (headers: Readonly<Record<string, string>> = {}) =>
  new BareAnswer(304, undefined, headers);

export const noContent = () => new BareAnswer(204);

export function sendAnswer(reply: FastifyReply, given: Answer): void {
  const { request } = reply;
  const { status, message, headers } = given.options;
  if (status !== undefined) reply.code(status);
  if (headers) reply.headers(headers);
  const envelope = {
    code: given.code,
    ...(request.surface.messages && { message: message ?? describe(reply) }),
    data: given.data,
    request_id: request.id,
    correlation_id: request.correlationId,
  };
  reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(envelope));
}

export function sendBare(reply: FastifyReply, given: BareAnswer): void {
  reply.code(given.status).headers(given.headers);
  reply.send(
    given.body instanceof Uint8Array
      ? Buffer.from(given.body.buffer, given.body.byteOffset, given.body.byteLength)
      : given.body,
  );
}

function describe(reply: FastifyReply): string {
  const operation = operationOf(reply.request);
  return (
    (operation && successes(operation).find(({ status }) => status === reply.statusCode)?.description) ?? ''
  );
}
