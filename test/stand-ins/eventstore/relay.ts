import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** Stands before a node on its port, and can fall silent: connections stay, and nothing moves on them. */
export class Relay {
  private readonly server = createServer({ noDelay: true }, (socket) => this.accept(socket));
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private frozen = false;

  constructor(private readonly target: number) {}

  /** Resolves to the port, which is one of the system's choice for 0. */
  async listen(port: number): Promise<number> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    return (this.server.address() as AddressInfo).port;
  }

  freeze(): void {
    this.frozen = true;
    for (const [one, other] of this.pairs) {
      one.unpipe(other).pause();
      other.unpipe(one).pause();
    }
  }

  thaw(): void {
    this.frozen = false;
    for (const pair of this.pairs) join(pair);
  }

  close(): void {
    this.server.close();
    for (const pair of this.pairs) end(pair);
  }

  private accept(socket: Socket): void {
    const pair = [socket, connect({ port: this.target, host: '127.0.0.1', noDelay: true })] as const;
    this.pairs.add(pair);
    for (const side of pair) {
      side.on('error', () => undefined);
      side.once('close', () => {
        this.pairs.delete(pair);
        end(pair);
      });
    }
    if (!this.frozen) join(pair);
  }
}

function join([one, other]: readonly [Socket, Socket]): void {
  one.pipe(other);
  other.pipe(one);
}

function end(pair: readonly [Socket, Socket]): void {
  for (const side of pair) if (!side.destroyed) side.resetAndDestroy();
}
