import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { operationOf } from '../request.js';
import { LARGE_BODY_BYTES, type BodyReader } from './body-reader.js';
import type { ReadBody } from './read-body.js';
import { BodyTooLargeError, receiveBody } from './receive-body.js';

export interface BodyParserOptions {
  readonly reader: BodyReader;
  readonly bodyLimit: number;
  /** Large bodies in memory at once; more are told to come back. */
  readonly largeBodies: number;
}

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Fastify content type parser for application/json. What is wrong with a body is kept on the request and judged
 * later, in its turn: an error given to Fastify here would also close the connection.
 */
export function bodyParser({ reader, bodyLimit, largeBodies }: BodyParserOptions) {
  let large = 0;

  return function parse(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
    const declared = payload.headers['content-length'];
    const mayBeLarge = declared === undefined || Number(declared) >= LARGE_BODY_BYTES;
    const end = (problem: Error | undefined, value?: unknown) => {
      if (mayBeLarge) large -= 1;
      request.bodyProblem = problem;
      done(null, value);
    };
    if (mayBeLarge) large += 1;
    if (large > largeBodies) return end(new ApiError('unavailable', 'Too many large bodies at once.'));
    receiveBody(payload, bodyLimit, (error, received) => {
      if (!received) return end(refusalOf(error));
      const read = reader.read(
        { chunks: received.chunks, carriesContent: carriesContent(request) },
        received.size,
      );
      if (!(read instanceof Promise)) return settle(read, end);
      read.then((result) => settle(result, end), end);
    });
  };
}

function settle(read: ReadBody, end: (problem: Error | undefined, value?: unknown) => void): void {
  if (read.ok) end(undefined, read.value);
  else end(new ApiError('malformed', sentence(read.rule)));
}

const carriesContent = (request: FastifyRequest) => operationOf(request)?.carriesContent === true;

const refusalOf = (error: Error | undefined) =>
  error instanceof BodyTooLargeError
    ? new ApiError('payloadTooLarge')
    : new ApiError('malformed', 'The body ended before its length.');

const sentence = (rule: string) => `${rule[0]!.toUpperCase()}${rule.slice(1)}.`;
