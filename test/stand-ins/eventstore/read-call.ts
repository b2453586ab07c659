import type { ServerWritableStream } from '@grpc/grpc-js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { RpcError } from './rpc-errors.js';

/** Answers are written as the bytes they were stored as. */
export type RawReadCall = ServerWritableStream<ReadReq, Uint8Array>;

/** One call of Read: writes no faster than the client reads, and knows when it is over. */
export class ReadCall {
  over = false;
  private readonly atEnd = new Set<() => void>();

  constructor(private readonly call: RawReadCall) {
    const ended = () => this.ended();
    call.once('cancelled', ended);
    call.once('finish', ended);
    call.once('close', ended);
    if (call.cancelled) this.ended();
  }

  /** Calls the listener once, when the call is over and never before this returns; answers how to take it back. */
  onOver(listener: () => void): () => void {
    if (this.over) queueMicrotask(listener);
    else this.atEnd.add(listener);
    return () => this.atEnd.delete(listener);
  }

  /** Returns a promise only when there is something to wait for. */
  send(response: Uint8Array): Promise<void> | undefined {
    if (this.over || this.call.write(response)) return undefined;
    return new Promise((resolve) => {
      const go = () => {
        this.call.removeListener('drain', go);
        stop();
        resolve();
      };
      this.call.once('drain', go);
      const stop = this.onOver(go);
    });
  }

  end(): void {
    if (!this.over) this.call.end();
  }

  fail(error: RpcError): void {
    if (this.over) return;
    this.call.emit('error', error);
    this.ended();
  }

  private ended(): void {
    if (this.over) return;
    this.over = true;
    for (const listener of [...this.atEnd]) listener();
    this.atEnd.clear();
  }
}
