import type { FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { ApiError } from '../errors/api-error.js';
import type { Pace, UploadLimits } from '../http-options.js';
import { bodyLimitOf, PLAIN_BODY_BYTES, type OperationSpec } from '../operation.js';
import type { BodyReader } from './body-reader.js';
import { ownerOf } from '../request.js';
import { ITEMS } from './json-guard.js';
import { MAX_JOBS, type ReadBody } from './read-body.js';
import { UploadSpace } from './upload-space.js';

/** 96 MiB are received, read and answered at once; each body brings 32 KiB in five seconds. */
const UPLOADS: UploadLimits = {
  bytes: 100_663_296,
  bodiesOfOwner: 4,
  waitingOfOwner: 64,
  waiting: 256,
  pace: { bytes: 32_768, windowMs: 5_000 },
};

/** Memory for a body without a declared length, which doubles. */
const FIRST_BYTES = 16_384;

type Done = (error: Error | null, body?: unknown) => void;
type End = (problem: Error | undefined, value?: unknown) => void;

/** Keeps an error for the content checks, because Fastify would also close the connection. */
export function bodyParser(reader: BodyReader, uploads = UPLOADS) {
  const space = new UploadSpace(uploads);

  function receive(request: FastifyRequest, payload: IncomingMessage, how: Reception, end: End): void {
    const carriesContent = how.operation.carriesContent === true;
    receiveBody(payload, how, (bytes, error) => {
      if (error) return end(error);
      if (request.mustBeEmpty && bytes.byteLength > 0) return end(notJson());
      const read = reader.read({ bytes, carriesContent }, ownerOf(request));
      if (!(read instanceof Promise)) return settle(read, end);
      read.then((result) => settle(result, end), end);
    });
  }

  function receiveLarge(request: FastifyRequest, payload: IncomingMessage, limit: number, end: End): void {
    const owner = ownerOf(request);
    const start = () => {
      request.freeBody = () => space.release(owner, limit);
      receive(request, payload, { operation: request.operation!, limit, pace: uploads.pace }, end);
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
    receive(request, payload, { operation, limit }, end);
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

/** The client disconnected or sent less than declared. */
const incomplete = () => new ApiError('malformed', 'The body ended before its length.');

const tooSlow = () => new ApiError('requestTimeout', 'The body arrives too slowly.', { connection: 'close' });

const malformed = (rule: string) => new ApiError('malformed', `${rule[0]!.toUpperCase()}${rule.slice(1)}.`);

interface Reception {
  readonly operation: OperationSpec;
  readonly limit: number;
  readonly pace?: Pace;
}

/** `done` always gets the received bytes. */
function receiveBody(
  payload: IncomingMessage,
  { operation, limit, pace }: Reception,
  done: (bytes: Uint8Array<ArrayBuffer>, error: ApiError | undefined) => void,
): void {
  const length = payload.headers['content-length'];
  const received = new Received(length === undefined ? FIRST_BYTES : Number(length), limit);
  let stopPacing: (() => void) | undefined;

  const finish = (error: ApiError | undefined) => {
    stopPacing?.();
    payload.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError);
    done(received.bytes, error);
  };
  const onData = (chunk: Buffer) => {
    if (received.size + chunk.byteLength > limit) finish(tooLarge(operation));
    else received.add(chunk);
  };
  const onEnd = () => finish(undefined);
  const onError = () => finish(incomplete());
  if (payload.destroyed) return onError();
  payload.on('data', onData).on('end', onEnd).on('error', onError).on('close', onError);
  if (pace) stopPacing = keepPace(pace, received, () => finish(tooSlow()));
}

function keepPace({ bytes, windowMs }: Pace, received: { readonly size: number }, late: () => void) {
  let before = 0;
  let isOver = false;
  // After a pause of the process timers fire before the bytes that came meanwhile are read; immediates after.
  const check = () => {
    if (!isOver && received.size - before < bytes) late();
    before = received.size;
  };
  const timer = setInterval(() => setImmediate(check), windowMs);
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}

class Received {
  size = 0;
  private memory: Uint8Array<ArrayBuffer> | undefined;

  constructor(
    private readonly expected: number,
    private readonly limit: number,
  ) {}

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.memory?.subarray(0, this.size) ?? new Uint8Array();
  }

  add(chunk: Buffer): void {
    this.memory = this.roomFor(this.size + chunk.byteLength);
    this.memory.set(chunk, this.size);
    this.size += chunk.byteLength;
  }

  private roomFor(size: number): Uint8Array<ArrayBuffer> {
    const { memory, expected, limit } = this;
    if (!memory) return new Uint8Array(Math.max(expected, size));
    if (memory.byteLength >= size) return memory;
    const larger = new Uint8Array(Math.min(limit, Math.max(size, 2 * memory.byteLength)));
    larger.set(memory);
    return larger;
  }
}
