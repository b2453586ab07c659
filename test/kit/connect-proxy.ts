import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** An HTTP proxy (CONNECT) that leads every tunnel to one port of this computer. */
export class ConnectProxy {
  readonly asked: string[] = [];
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(port: number): Promise<ConnectProxy> {
    const server = createServer((_, response) => response.writeHead(405).end());
    const proxy = new ConnectProxy(server);
    server.on('connect', (request, client: Socket) => {
      proxy.asked.push(String(request.url));
      const service = connect(port, '127.0.0.1', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(service).pipe(client);
      });
      for (const socket of [client, service]) {
        proxy.sockets.add(socket);
        socket.on('error', () => socket.destroy());
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }
}
