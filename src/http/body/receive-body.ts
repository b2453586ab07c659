import type { IncomingMessage } from 'node:http';
import type { Pace } from '../http-options.js';

/** Memory for a body without a declared length, which doubles. */
const FIRST_BYTES = 16_384;

export class BodyTooLargeError extends Error {}

export class BodyTooSlowError extends Error {}

/** The client disconnected or sent less than declared. */
class BodyIncompleteError extends Error {}

export interface Reception {
  readonly limit: number;
  readonly pace?: Pace;
}

/** `done` always gets the received bytes. */
export function receiveBody(
  payload: IncomingMessage,
  { limit, pace }: Reception,
  done: (bytes: Uint8Array<ArrayBuffer>, error: Error | undefined) => void,
): void {
  const length = payload.headers['content-length'];
  const received = new Received(length === undefined ? FIRST_BYTES : Number(length), limit);
  let stopPacing: (() => void) | undefined;

  const finish = (error: Error | undefined) => {
    stopPacing?.();
    payload.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError);
    done(received.bytes, error);
  };
  const onData = (chunk: Buffer) => {
    if (received.size + chunk.byteLength > limit) finish(new BodyTooLargeError());
    else received.add(chunk);
  };
  const onEnd = () => finish(undefined);
  const onError = () => finish(new BodyIncompleteError());
  if (payload.destroyed) return onError();
  payload.on('data', onData).on('end', onEnd).on('error', onError).on('close', onError);
  if (pace) stopPacing = keepPace(pace, received, () => finish(new BodyTooSlowError()));
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
