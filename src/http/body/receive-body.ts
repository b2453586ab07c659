import type { IncomingMessage } from 'node:http';
import type { Pace } from '../http-options.js';

const SEGMENT_BYTES = 262_144;

/** 16 MiB. */
const KEPT = 64;

export type Segment = Uint8Array<ArrayBuffer>;

/** Avoids garbage collections on the main thread. */
export class SegmentPool {
  readonly #free: ArrayBuffer[] = [];

  take(): Segment {
    return new Uint8Array(this.#free.pop() ?? new ArrayBuffer(SEGMENT_BYTES));
  }

  give(segments: readonly Segment[]): void {
    for (const { buffer } of segments) {
      if (this.#free.length < KEPT && buffer.byteLength === SEGMENT_BYTES) this.#free.push(buffer);
    }
  }
}

export class BodyTooLargeError extends Error {}

export class BodyTooSlowError extends Error {}

/** The client disconnected or sent less than declared. */
class BodyIncompleteError extends Error {}

interface ReceivedBody {
  readonly chunks: readonly Segment[];
  readonly size: number;
}

export interface Reception {
  readonly limit: number;
  readonly pace?: Pace;
  /** A body of this length is kept as it is if it arrives in one piece. */
  readonly whole?: number;
  readonly next: () => Segment;
}

/** No step on the main thread exceeds one socket read. `done` always gets the received chunks. */
export function receiveBody(
  payload: IncomingMessage,
  how: Reception,
  done: (body: ReceivedBody, error: Error | undefined) => void,
): void {
  const received = new Received(how);
  let stopPacing: (() => void) | undefined;

  const finish = (error: Error | undefined) => {
    stopPacing?.();
    payload.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError);
    done({ chunks: received.chunks(), size: received.size }, error);
  };
  const onData = (chunk: Buffer<ArrayBuffer>) => {
    if (received.size + chunk.byteLength > how.limit) finish(new BodyTooLargeError());
    else received.add(chunk);
  };
  const onEnd = () => finish(undefined);
  const onError = () => finish(new BodyIncompleteError());
  if (payload.destroyed) return onError();
  payload.on('data', onData).on('end', onEnd).on('error', onError).on('close', onError);
  if (how.pace) stopPacing = keepPace(how.pace, received, () => finish(new BodyTooSlowError()));
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
  private readonly full: Segment[] = [];
  private current: Segment | undefined;
  private used = 0;

  constructor(private readonly memory: Reception) {}

  add(chunk: Buffer<ArrayBuffer>): void {
    if (chunk.byteLength === this.memory.whole) this.full.push(chunk);
    else this.copy(chunk);
    this.size += chunk.byteLength;
  }

  chunks(): readonly Segment[] {
    return this.current ? [...this.full, this.current.subarray(0, this.used)] : this.full;
  }

  private copy(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.byteLength) {
      const segment = this.roomy();
      const count = Math.min(segment.byteLength - this.used, chunk.byteLength - from);
      segment.set(chunk.subarray(from, from + count), this.used);
      this.used += count;
      from += count;
    }
  }

  private roomy(): Segment {
    if (this.current && this.used < this.current.byteLength) return this.current;
    if (this.current) this.full.push(this.current);
    this.current = this.memory.next();
    this.used = 0;
    return this.current;
  }
}
