import type { RequestListener, Server } from 'node:http';
import type { Milliseconds } from '../../kernel/time.js';

/** Requests wait at most so long for further connections. */
const MOST_MS: Milliseconds = 20;

/** Requests reach the listener of the server when no connection waits. */
export function acceptFirst(server: Server): void {
  const accepting = new AcceptFirst(server);
  const [serve] = server.listeners('request') as [RequestListener];
  server.off('request', serve);
  server.on('request', (request, response) => accepting.admit(() => void serve(request, response)));
}

/**
 * Accepts the connections that wait before it serves further requests. Node accepts one connection a turn of the event
 * loop, and serves in the same turn the requests of all that it has accepted: of 64 connections opened at once, the last
 * would be accepted after more than a second of requests of the first ones.
 */
export class AcceptFirst {
  private waiting: (() => void)[] = [];
  /** Since when requests wait; undefined while none do. */
  private since: Milliseconds | undefined;
  private hasAccepted = false;

  constructor(
    server: { on(event: 'connection', listener: () => void): unknown },
    private readonly now: () => Milliseconds = () => performance.now(),
  ) {
    server.on('connection', () => this.accepted());
  }

  /** Calls `serve`: at once, or after the first turn that accepts no connection. */
  admit(serve: () => void): void {
    if (this.since === undefined) serve();
    else this.waiting.push(serve);
  }

  private accepted(): void {
    this.hasAccepted = true;
    if (this.since !== undefined) return;
    this.since = this.now();
    setImmediate(() => this.turn());
  }

  private turn(): void {
    if (this.hasAccepted && this.now() - this.since! < MOST_MS) {
      this.hasAccepted = false;
      setImmediate(() => this.turn());
      return;
    }
    this.since = undefined;
    const served = this.waiting;
    this.waiting = [];
    for (const serve of served) serve();
  }
}
