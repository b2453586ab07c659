import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { ServerCredentials, type Server } from '@grpc/grpc-js';

/** Holds the sockets of a gRPC server, so that connections can break as they do when a process or a wire dies. */
export class Listener {
  private readonly sockets = new Set<Socket>();
  private readonly connections = createServer({ noDelay: true });

  constructor(private readonly server: Server) {
    const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
    this.connections.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      injector.injectConnection(socket);
    });
  }

  /** Resolves to the port, which is one of the system's choice for 0. */
  async listen(port: number): Promise<number> {
    this.connections.listen(port, '127.0.0.1');
    await once(this.connections, 'listening');
    return (this.connections.address() as AddressInfo).port;
  }

  /** No farewell on the level of HTTP/2: the client reads the end of the connection. */
  breakConnections(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  close(): void {
    this.connections.close();
    this.breakConnections();
    this.server.forceShutdown();
  }
}
