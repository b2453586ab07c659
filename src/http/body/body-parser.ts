import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import { LARGE_BODY_BYTES, type BodyReader } from './body-reader.js';
import type { ReadBody } from './read-body.js';
import { BodyTooLargeError, receiveBody, SegmentPool, type BodyMemory } from './receive-body.js';
import { UploadSlots, type SlotLimits } from './upload-slots.js';

/** Maximum size of a request body on every surface. */
export const BODY_LIMIT_BYTES = 16_777_216;

interface BodyParserOptions {
  readonly reader: BodyReader;
  readonly slots: SlotLimits;
}

type Done = (error: Error | null, body?: unknown) => void;
type End = (problem: Error | undefined, value?: unknown) => void;

/**
 * Fastify content type parser for application/json. Keeps an error on the request for the content checks,
 * because an error passed to Fastify here would also close the connection.
 */
export function bodyParser({ reader, slots: limits }: BodyParserOptions) {
  const slots = new UploadSlots(limits);
  const memory = new SegmentPool();

  function receive(request: FastifyRequest, payload: IncomingMessage, into: BodyMemory, end: End): void {
    receiveBody(payload, BODY_LIMIT_BYTES, into, ({ chunks, size }, error) => {
      if (error) {
        memory.give(chunks);
        return end(refusalOf(error));
      }
      const read = reader.read({ chunks, carriesContent: carriesContent(request) }, size, memory);
      if (!(read instanceof Promise)) return settle(read, end);
      read.then((result) => settle(result, end), end);
    });
  }

  return function parse(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
    const end: End = (problem, value) => {
      request.bodyProblem = problem;
      done(null, value);
    };
    const length = Number(payload.headers['content-length'] ?? Infinity);
    if (length < LARGE_BODY_BYTES) {
      return receive(request, payload, { whole: length, next: () => new Uint8Array(length) }, end);
    }

    const owner = request.principal?.credentialId ?? request.ip;
    const release: End = (problem, value) => {
      slots.release(owner);
      end(problem, value);
    };
    const start = () => receive(request, payload, { next: () => memory.take() }, release);
    if (!slots.acquire(owner, start)) end(new ApiError('unavailable', 'Too many large bodies at once.'));
  };
}

function settle(read: ReadBody, end: End): void {
  if (read.ok) end(undefined, read.value);
  else end(new ApiError('malformed', sentence(read.rule)));
}

const carriesContent = ({ operation }: FastifyRequest) => operation?.carriesContent === true;

const refusalOf = (error: Error) =>
  error instanceof BodyTooLargeError
    ? new ApiError('payloadTooLarge')
    : new ApiError('malformed', 'The body ended before its length.');

const sentence = (rule: string) => `${rule[0]!.toUpperCase()}${rule.slice(1)}.`;
