import type { RequestListener, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Milliseconds } from '../../kernel/time.js';

const MAX_WAIT_MS: Milliseconds = 20;
/** Between two turns: a burst of 400 new connections held everybody for 100 ms (docs/performance.md, A3). */
const SERVING_MS: Milliseconds = 4;

export function acceptFirst(server: Server): void {
  const accepting = new AcceptFirst(server);
  const [serve] = server.listeners('request') as [RequestListener];
  server.off('request', serve);
  server.on('request', (request, response) =>
    accepting.admit(request.socket, () => void serve(request, response)),
  );
}

/**
 * Node accepts one connection per turn and serves requests in the same turn: the last of 64 would wait for a
 * second. First requests of new connections are served in pieces, so that others get their turns between.
 */
export class AcceptFirst {
  private readonly known = new WeakSet<Socket>();
  private ofKnown: (() => void)[] = [];
  private ofNew: (() => void)[] = [];
  private isServing = false;
  private since: Milliseconds | undefined;
  private hasAccepted = false;

  constructor(
    server: { on(event: 'connection', listener: () => void): unknown },
    private readonly now: () => Milliseconds = () => performance.now(),
  ) {
    server.on('connection', () => this.accepted());
  }

  /** Serves at once, or after the first turn that accepts no connection. */
  admit(socket: Socket, serve: () => void): void {
    const first = () => {
      this.known.add(socket);
      serve();
    };
    const isKnown = this.known.has(socket);
    if (this.since !== undefined) (isKnown ? this.ofKnown : this.ofNew).push(isKnown ? serve : first);
    else if (this.isServing && !isKnown) this.ofNew.push(first);
    else first();
  }

  private accepted(): void {
    this.hasAccepted = true;
    if (this.since !== undefined || this.isServing) return;
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
    const known = this.ofKnown;
    this.ofKnown = [];
    for (const serve of known) serve();
    this.servePiece();
  }

  private servePiece(): void {
    const until = this.now() + SERVING_MS;
    let served = 0;
    while (served < this.ofNew.length && (served === 0 || this.now() < until)) this.ofNew[served++]!();
    this.ofNew = this.ofNew.slice(served);
    this.isServing = this.ofNew.length > 0;
    if (this.isServing) setImmediate(() => this.servePiece());
  }
}
