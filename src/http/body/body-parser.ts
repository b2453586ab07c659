import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import type { UploadLimits } from '../http-options.js';
import { bodyLimitOf, PLAIN_BODY_BYTES, type OperationSpec } from '../operation.js';
import type { BodyReader } from './body-reader.js';
import { ownerOf } from '../request.js';
import { ITEMS } from './json-guard.js';
import { MAX_JOBS, type ReadBody } from './read-body.js';
import { BodyTooLargeError, BodyTooSlowError, receiveBody, type Reception } from './receive-body.js';
import { UploadSpace } from './upload-space.js';

/** 96 MiB are received, read and answered at once; each body brings 32 KiB in five seconds. */
const UPLOADS: UploadLimits = {
  bytes: 100_663_296,
  bodiesOfOwner: 4,
  waitingOfOwner: 64,
  waiting: 256,
  pace: { bytes: 32_768, windowMs: 5_000 },
};

type Done = (error: Error | null, body?: unknown) => void;
type End = (problem: Error | undefined, value?: unknown) => void;

/** Keeps an error for the content checks, because Fastify would also close the connection. */
export function bodyParser(reader: BodyReader, uploads = UPLOADS) {
  const space = new UploadSpace(uploads);

  function receive(request: FastifyRequest, payload: IncomingMessage, how: Reception, end: End): void {
    const operation = request.operation!;
    receiveBody(payload, how, (bytes, error) => {
      if (error) return end(refusalOf(error, operation));
      if (request.mustBeEmpty && bytes.byteLength > 0) return end(notJson());
      const raw = { bytes, carriesContent: operation.carriesContent === true };
      const read = reader.read(raw, ownerOf(request));
      if (!(read instanceof Promise)) return settle(read, end);
      read.then((result) => settle(result, end), end);
    });
  }

  function receiveLarge(request: FastifyRequest, payload: IncomingMessage, limit: number, end: End): void {
    const owner = ownerOf(request);
    const start = () => {
      request.freeBody = () => space.release(owner, limit);
      receive(request, payload, { limit, pace: uploads.pace }, end);
    };
    if (!space.acquire(owner, limit, start))
      end(new ApiError('unavailable', 'Too many large bodies at once.'));
  }

  return function parse(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
    const end: End = (problem, value) => {
      request.bodyProblem = problem;
      done(null, value);
    };
    const operation = request.operation!;
    const length = Number(payload.headers['content-length'] ?? Infinity);
    const limit = Math.min(length, bodyLimitOf(operation));
    if (limit > PLAIN_BODY_BYTES)
      return whenItFlows(payload, () => receiveLarge(request, payload, limit, end));
    receive(request, payload, { limit }, end);
  };
}

/** A head alone takes no memory from others. */
function whenItFlows(payload: IncomingMessage, start: () => void): void {
  const begin = () => {
    payload.off('readable', begin).off('close', begin);
    start();
  };
  payload.on('readable', begin).on('close', begin);
}

function settle(read: ReadBody, end: End): void {
  if (!read.ok) return end(malformed(read.rule));
  const { value, brokenItems = [] } = read;
  const { [ITEMS]: items } = (value ?? {}) as { [ITEMS]: unknown[] };
  // Longer lists are refused as a whole.
  for (const [index, rule] of brokenItems) if (index < MAX_JOBS) items[index] = malformed(rule);
  end(undefined, value);
}

/** Fastify's `onSend`, which is called for each answer, also without a client. */
export function freeBody(
  request: FastifyRequest,
  _reply: unknown,
  _payload: unknown,
  done: () => void,
): void {
  releaseBody(request);
  done();
}

/** Ends the place of a large body among those of its owner, if it has one. */
export function releaseBody(request: FastifyRequest): void {
  const { freeBody } = request;
  request.freeBody = undefined;
  freeBody?.();
}

export const notJson = () => new ApiError('unsupportedMediaType', 'Content-Type must be application/json.');

export const tooLarge = (operation: OperationSpec) =>
  new ApiError('payloadTooLarge', `The request body must have at most ${bodyLimitOf(operation)} bytes.`);

function refusalOf(error: Error, operation: OperationSpec): ApiError {
  if (error instanceof BodyTooLargeError) return tooLarge(operation);
  if (error instanceof BodyTooSlowError)
    return new ApiError('requestTimeout', 'The body arrives too slowly.', { connection: 'close' });
  return new ApiError('malformed', 'The body ended before its length.');
}

const malformed = (rule: string) => new ApiError('malformed', `${rule[0]!.toUpperCase()}${rule.slice(1)}.`);
