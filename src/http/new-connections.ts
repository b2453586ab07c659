import { LRUCache } from 'lru-cache';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { Tally } from '../async/tally.js';
import type { Milliseconds } from '../kernel/time.js';

/** From the last connection of the address that was ended. */
const SLOWED_MS: Milliseconds = 10_000;
/** Twenty connections at once, each with 64 KiB of bad requests, would block the event loop for 150 ms (A4). */
const BETWEEN_MS: Milliseconds = 50;
/** Beyond it a connection is ended unread. */
const MAX_WAIT_MS: Milliseconds = 5_000;
const ADDRESSES = 10_000;
/** Node accepts one connection in a turn of its loop, and the last of 64 would wait for a second. */
const ACCEPTING_MS: Milliseconds = 20;
/** Connections read from one turn to the next; 400 at once would block the event loop for 100 ms (A3, A1a). */
const READ_IN_A_TURN = 4;

type Listener = (this: Server, socket: Socket) => void;

/**
 * New connections wait here until the server reads them, so that a burst does not delay open connections
 * (docs/performance.md, attacks). Addresses take turns; one that guesses credentials gets one each 50 ms.
 */
export class NewConnections {
  /** Moment for the next connection of each slowed address. */
  private readonly turns = new LRUCache<string, Milliseconds>({ max: ADDRESSES, ttl: SLOWED_MS });
  private readonly waiting = new Map<string, (() => void)[]>();
  /** Number of open connections by address. */
  private readonly held = new Tally();
  private acceptingSince: Milliseconds | undefined;
  private hasAccepted = false;

  constructor(private readonly now: () => Milliseconds = () => performance.now()) {}

  /** @param opened called once the server reads the connection */
  guard(server: Server, opened: (socket: Socket) => void): void {
    const [listener] = server.listeners('connection') as [Listener];
    server.off('connection', listener);
    server.on('connection', (socket) => {
      const destroy = () => socket.destroy();
      if (!this.holds(socket, (server.maxConnections ?? Infinity) / 2)) return destroy();
      socket.on('error', destroy);
      this.accept(socket.remoteAddress ?? '', {
        read() {
          if (socket.destroyed) return;
          socket.off('error', destroy);
          listener.call(server, socket);
          opened(socket);
        },
        refuse: destroy,
      });
    });
  }

  /** An address gets half of the connections, so that others find some left. */
  private holds(socket: Socket, atMost: number): boolean {
    const { remoteAddress = '' } = socket;
    if (this.held.of(remoteAddress) >= atMost) return false;
    this.held.add(remoteAddress, 1);
    socket.once('close', () => this.held.add(remoteAddress, -1));
    return true;
  }

  slow(address: string): void {
    this.turns.set(address, this.turns.get(address) ?? this.now());
  }

  accept(address: string, { read, refuse }: { read(): void; refuse(): void }): void {
    const wait = this.nextWait(address);
    if (wait === undefined) refuse();
    else if (wait > 0) setTimeout(read, wait).unref();
    else this.enqueue(address, read);
  }

  /** Wait before the next connection of this address may be read; undefined if too many wait already. */
  nextWait(address: string): Milliseconds | undefined {
    const turn = this.turns.get(address);
    if (turn === undefined) return 0;
    const now = this.now();
    const at = Math.max(now, turn);
    if (at - now > MAX_WAIT_MS) return undefined;
    this.turns.set(address, at + BETWEEN_MS, { noUpdateTTL: true });
    return at - now;
  }

  private enqueue(address: string, read: () => void): void {
    const isFirst = this.waiting.size === 0;
    const queue = this.waiting.get(address);
    if (queue) queue.push(read);
    else this.waiting.set(address, [read]);
    this.hasAccepted = true;
    if (!isFirst) return;
    this.acceptingSince = this.now();
    setImmediate(() => this.turn());
  }

  /** Reads once a turn has accepted no connection. */
  private turn(): void {
    const isAccepting = this.hasAccepted && this.now() - this.acceptingSince! < ACCEPTING_MS;
    this.hasAccepted = false;
    if (!isAccepting) this.readSome();
    if (this.waiting.size > 0) setImmediate(() => this.turn());
  }

  private readSome(): void {
    for (let n = 0; n < READ_IN_A_TURN && this.waiting.size > 0; n++) {
      const [address, queue] = this.waiting.entries().next().value!;
      const read = queue.shift()!;
      this.waiting.delete(address);
      if (queue.length > 0) this.waiting.set(address, queue);
      read();
    }
  }
}
