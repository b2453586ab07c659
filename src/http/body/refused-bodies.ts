import type { FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { growingTo } from '../../kernel/cache-size.js';
import type { Milliseconds } from '../../kernel/time.js';
import { ownerOf } from '../request.js';

/** Of one body; beyond it the connection is closed. */
const MAX_BYTES = 33_554_432;
/** Of one owner in a second: 60 clients that send on after each 429 would delay all other requests (A1c). */
const BYTES_PER_SECOND = 8_388_608;
/** Read at once before an owner is slowed. */
const BURST_MS: Milliseconds = 250;
const OWNERS = 10_000;

const answeredEarly = new WeakSet<object>();

export const wasAnsweredEarly = (socket: object) => answeredEarly.has(socket);

/** Reads what is left of a refused body: closing at once would reset the connection before its client has read the answer. */
export class RefusedBodies {
  /** When the bytes read so far of each owner would have arrived at its pace. */
  private readonly paces = new LRUCache<string, Milliseconds>(growingTo(OWNERS));

  constructor(private readonly now: () => Milliseconds = () => performance.now()) {}

  read(request: FastifyRequest): void {
    const { raw } = request;
    const owner = ownerOf(request);
    let left = MAX_BYTES;
    answeredEarly.add(raw.socket);
    raw.on('data', ({ byteLength }: Buffer) => {
      left -= byteLength;
      if (left < 0) return void raw.destroy();
      const pause = this.pauseAfter(owner, byteLength);
      if (pause <= 0) return;
      raw.pause();
      setTimeout(() => raw.resume(), pause).unref();
    });
    raw.once('end', () => answeredEarly.delete(raw.socket));
  }

  /** How long the owner must wait after so many bytes more; none if not positive. */
  pauseAfter(owner: string, bytes: number): Milliseconds {
    const now = this.now();
    const at = Math.max(now, this.paces.get(owner) ?? now) + (bytes * 1_000) / BYTES_PER_SECOND;
    this.paces.set(owner, at);
    return at - now - BURST_MS;
  }
}
