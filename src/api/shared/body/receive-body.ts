import type { IncomingMessage } from 'node:http';

export class BodyTooLargeError extends Error {}

/** The client went away, or sent less than it said. */
export class BodyIncompleteError extends Error {}

export interface ReceivedBody {
  readonly chunks: readonly Uint8Array<ArrayBuffer>[];
  readonly size: number;
}

const SEGMENT_BYTES = 262_144;
const CHUNKED_FIRST_BYTES = 4_096;

/**
 * Copies a body from the socket as it arrives: into one buffer when its length is known, into growing segments
 * when it is chunked, so that no step on the main thread is longer than one socket read. Ends at `limit` while
 * streaming.
 */
export function receiveBody(
  payload: IncomingMessage,
  limit: number,
  done: (error: Error | undefined, body?: ReceivedBody) => void,
): void {
  const declared = payload.headers['content-length'];
  const segments = new Segments(declared === undefined ? undefined : Number(declared));

  const finish = (error: Error | undefined) => {
    payload.off('data', onData).off('end', onEnd).off('error', onError).off('close', onError);
    done(error, error ? undefined : { chunks: segments.taken(), size: segments.size });
  };
  const onData = (chunk: Buffer) => {
    if (segments.size + chunk.byteLength > limit) finish(new BodyTooLargeError());
    else segments.add(chunk);
  };
  const onEnd = () => finish(undefined);
  const onError = () => finish(new BodyIncompleteError());
  payload.on('data', onData).on('end', onEnd).on('error', onError).on('close', onError);
}

class Segments {
  size = 0;
  private readonly full: Uint8Array<ArrayBuffer>[] = [];
  private current: Uint8Array<ArrayBuffer>;
  private used = 0;

  constructor(declared: number | undefined) {
    this.current = new Uint8Array(declared ?? CHUNKED_FIRST_BYTES);
  }

  add(chunk: Buffer): void {
    let from = 0;
    while (from < chunk.byteLength) {
      if (this.used === this.current.byteLength) this.grow();
      const count = Math.min(this.current.byteLength - this.used, chunk.byteLength - from);
      this.current.set(chunk.subarray(from, from + count), this.used);
      this.used += count;
      from += count;
    }
    this.size += chunk.byteLength;
  }

  taken(): readonly Uint8Array<ArrayBuffer>[] {
    const last = this.current.subarray(0, this.used);
    return this.full.length === 0 ? [last] : [...this.full, last];
  }

  private grow(): void {
    if (this.used > 0) this.full.push(this.current);
    this.current = new Uint8Array(SEGMENT_BYTES);
    this.used = 0;
  }
}
