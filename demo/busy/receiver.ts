import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const ANSWERS: Readonly<Record<string, readonly [status: number, text: string]>> = {
  '/orders': [204, ''],
  '/broken': [500, '<h1>Internal Server Error</h1> the database is full'],
  '/gone': [410, 'moved away'],
};

/** Three webhook receivers of this machine: one works, one fails, one is gone. */
export class Receiver {
  private constructor(private readonly server: Server) {}

  static async start(): Promise<Receiver> {
    const server = createServer((request, response) => {
      const [status, text] = ANSWERS[request.url ?? ''] ?? [404, ''];
      request.resume().once('end', () => response.writeHead(status).end(text));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Receiver(server);
  }

  urlOf(name: 'orders' | 'broken' | 'gone'): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/${name}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
