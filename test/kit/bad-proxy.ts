import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What happens to one request on its way. */
export type Fate = 'passes' | 'unsent' | 'lost' | 'cut' | 'proxy-error' | { readonly status: 429 | 503 };

const ERROR = {
  message: 'Later.',
  retryable: true,
  request_id: '019aa000-0000-7000-8000-000000000001',
  correlation_id: 'a-correlation',
};

/** A server in front of the service that loses, cuts and replaces answers. */
export class BadProxy {
  /** Requests as they arrived. */
  readonly received: IncomingMessage[] = [];
  private readonly server: Server;

  private constructor(
    private readonly target: string,
    private readonly fate: (request: IncomingMessage) => Fate,
  ) {
    this.server = createServer(
      (asked, answer) => void this.serve(asked, answer).catch(() => answer.destroy()),
    );
  }

  /** @param target `http://127.0.0.1:<port>/v1` */
  static async start(target: string, fate: (request: IncomingMessage) => Fate): Promise<BadProxy> {
    const proxy = new BadProxy(target, fate);
    await once(proxy.server.listen(0, '127.0.0.1'), 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    this.received.push(asked);
    const body = Buffer.concat(await asked.toArray());
    const fate = this.fate(asked);
    if (fate === 'unsent') return void answer.destroy();
    if (fate === 'proxy-error') return void answer.writeHead(502).end('<html>Bad gateway</html>');
    if (typeof fate === 'object') {
      const code = fate.status === 429 ? 'RATE_LIMIT_EXCEEDED' : 'SVC_UNAVAILABLE';
      const headers = { 'content-type': 'application/json', 'retry-after': '0' };
      return void answer.writeHead(fate.status, headers).end(JSON.stringify({ code, ...ERROR }));
    }
    const { status, headers, text } = await this.forward(asked, body);
    if (fate === 'lost') return void answer.destroy();
    answer.writeHead(status, headers);
    if (fate === 'passes') return void answer.end(text);
    answer.write(text.subarray(0, text.length / 2), () => answer.destroy());
  }

  private async forward(asked: IncomingMessage, body: Buffer) {
    const sent = request(new URL(asked.url!, this.target), { method: asked.method, headers: asked.headers });
    sent.end(body);
    const [answered] = (await once(sent, 'response')) as [IncomingMessage];
    const text = Buffer.concat(await answered.toArray());
    return { status: answered.statusCode!, headers: answered.headers, text };
  }
}
