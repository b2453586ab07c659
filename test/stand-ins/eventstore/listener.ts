import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { constants, type Http2Server } from 'node:http2';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { ServerCredentials, type Server } from '@grpc/grpc-js';
import { compress } from './compressing.js';

/** Holds the connections of a gRPC server, so that they can end as they do when a process or a wire dies. */
export class Listener {
  private readonly sockets = new Set<Socket>();
  private readonly streams = new Set<ServerHttp2Stream>();
  private readonly connections = createServer({ noDelay: true });

  constructor(
    private readonly server: Server,
    private readonly gzip: boolean,
  ) {
    this.tap();
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

  /** As of a killed process: the client reads ECONNRESET. */
  breakConnections(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  /** As of a server that stops in order: open calls end without a status. */
  endCalls(): void {
    for (const stream of this.streams) stream.close(constants.NGHTTP2_NO_ERROR);
  }

  close(): void {
    this.connections.close();
    this.breakConnections();
    this.server.forceShutdown();
  }

  /** grpc-js gives no access to the streams of HTTP/2, which are needed to compress and to end them. */
  private tap(): void {
    const internals = this.server as unknown as { createHttp2Server(of: ServerCredentials): Http2Server };
    const create = internals.createHttp2Server.bind(this.server);
    internals.createHttp2Server = (credentials) =>
      create(credentials).prependListener('stream', (stream, headers) => this.take(stream, headers));
  }

  private take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    this.streams.add(stream);
    stream.once('close', () => this.streams.delete(stream));
    const offered = String(headers['grpc-accept-encoding'] ?? '').split(',');
    if (this.gzip && offered.includes('gzip')) compress(stream);
  }
}
