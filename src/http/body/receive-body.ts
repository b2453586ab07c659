import type { IncomingMessage } from 'node:http';
import type { Segment } from './segments.js';

export class BodyTooLargeError extends Error {}

/** The client went away, or sent less than it said. */
export class BodyIncompleteError extends Error {}

export interface ReceivedBody {
  readonly chunks: readonly Segment[];
  readonly size: number;
}

/**
 * Copies a body from the socket as it arrives, into memory that `next` provides, so that no step on the main thread
 * is longer than one socket read. Ends at `limit` while streaming. What was received is handed over in any case.
 */
export function receiveBody(
  payload: IncomingMessage,
  limit: number,
  next: () => Segment,
  done: (body: ReceivedBody, error: Error | undefined) => void,
): void {
  const received = new Received(next);

  const finish = (error: Error | undefined) => {
    payload.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError);
    done({ chunks: received.chunks(), size: received.size }, error);
  };
  const onData = (chunk: Buffer) => {
    if (received.size + chunk.byteLength > limit) finish(new BodyTooLargeError());
    else received.add(chunk);
  };
  const onEnd = () => finish(undefined);
  const onError = () => finish(new BodyIncompleteError());
  if (payload.destroyed) return onError();
  payload.on('data', onData).on('end', onEnd).on('error', onError).on('close', onError);
}

class Received {
  size = 0;
  private readonly full: Segment[] = [];
  private current: Segment | undefined;
  private used = 0;

  constructor(private readonly next: () => Segment) {}

  add(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.byteLength) {
      const segment = this.roomy();
      const count = Math.min(segment.byteLength - this.used, chunk.byteLength - from);
      segment.set(chunk.subarray(from, from + count), this.used);
      this.used += count;
      from += count;
    }
    this.size += chunk.byteLength;
  }

  chunks(): readonly Segment[] {
    return this.current ? [...this.full, this.current.subarray(0, this.used)] : [];
  }

  private roomy(): Segment {
    if (this.current && this.used < this.current.byteLength) return this.current;
    if (this.current) this.full.push(this.current);
    this.current = this.next();
    this.used = 0;
    return this.current;
  }
}
