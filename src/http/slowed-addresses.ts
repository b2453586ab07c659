import { LRUCache } from 'lru-cache';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Milliseconds } from '../kernel/time.js';

/** From the last connection of the address that was ended. */
const SLOWED_MS: Milliseconds = 10_000;
/** Twenty connections at once, each with 64 KiB of bad requests, would hold everybody for 150 ms (A4). */
const BETWEEN_MS: Milliseconds = 50;
/** Beyond it a connection is ended unread. */
const MAX_WAIT_MS: Milliseconds = 5_000;
const ADDRESSES = 10_000;

type Listener = (this: Server, socket: Socket) => void;

/** An address that guesses credentials gets its new connections read one after the other. */
export class SlowedAddresses {
  /** Moment for the next connection of each address. */
  private readonly turns = new LRUCache<string, Milliseconds>({ max: ADDRESSES, ttl: SLOWED_MS });

  constructor(private readonly now: () => Milliseconds = () => performance.now()) {}

  slow(address: string): void {
    this.turns.set(address, this.turns.get(address) ?? this.now());
  }

  /** Wait before the next connection of this address is read; undefined if too many wait already. */
  nextWait(address: string): Milliseconds | undefined {
    const turn = this.turns.get(address);
    if (turn === undefined) return 0;
    const now = this.now();
    const at = Math.max(now, turn);
    if (at - now > MAX_WAIT_MS) return undefined;
    this.turns.set(address, at + BETWEEN_MS, { noUpdateTTL: true });
    return at - now;
  }

  /** @param opened called once the server reads the connection */
  guard(server: Server, opened: (socket: Socket) => void): void {
    const [listener] = server.listeners('connection') as [Listener];
    server.off('connection', listener);
    const read = (socket: Socket) => {
      listener.call(server, socket);
      opened(socket);
    };
    server.on('connection', (socket) => {
      const wait = this.nextWait(socket.remoteAddress ?? '');
      if (wait === 0) return read(socket);
      if (wait === undefined) return void socket.destroy();
      socket.on('error', () => socket.destroy());
      setTimeout(() => socket.destroyed || read(socket), wait).unref();
    });
  }
}
