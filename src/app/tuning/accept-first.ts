import type { RequestListener, Server } from 'node:http';
import type { Milliseconds } from '../../kernel/time.js';

const MAX_WAIT_MS: Milliseconds = 20;

export function acceptFirst(server: Server): void {
  const accepting = new AcceptFirst(server);
  const [serve] = server.listeners('request') as [RequestListener];
  server.off('request', serve);
  server.on('request', (request, response) => accepting.admit(() => void serve(request, response)));
}

/**
 * Node accepts one connection per turn and serves requests in the same turn: the last of 64 would wait for a
 * second.
 */
export class AcceptFirst {
  private waiting: (() => void)[] = [];
  private since: Milliseconds | undefined;
  private hasAccepted = false;

  constructor(
    server: { on(event: 'connection', listener: () => void): unknown },
    private readonly now: () => Milliseconds = () => performance.now(),
  ) {
    server.on('connection', () => this.accepted());
  }

  /** Serves at once, or after the first turn that accepts no connection. */
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
    if (this.hasAccepted && this.now() - this.since! < MAX_WAIT_MS) {
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
