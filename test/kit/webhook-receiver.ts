import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { BEHAVIOURS, type Behaviour } from './receiver-behaviours.js';

export interface ReceivedRequest {
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** As received, before any parsing. */
  readonly body: Buffer;
}

/** The parts of a delivery that are the same in all its attempts. */
export function contentOf({ headers, body }: ReceivedRequest) {
  return [headers['x-svc-event-id'], headers['x-svc-delivery-id'], headers['x-svc-event'], body.toString()];
}

/**
 * Webhook receiver on a raw socket: the first path segment selects its behaviour (receiver-behaviours.ts); `/ok`
 * accepts the request. Records every request.
 */
export class WebhookReceiver {
  readonly requests: ReceivedRequest[] = [];
  private readonly sockets = new Set<Socket>();
  private constructor(private readonly server: Server) {}

  static async start(tls?: TlsOptions): Promise<WebhookReceiver> {
    const server = tls ? createTlsServer(tls) : createServer();
    const receiver = new WebhookReceiver(server);
    server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => receiver.serve(socket));
    server.on('connection', (socket: Socket) => receiver.hold(socket));
    server.on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Number of open connections. */
  get open(): number {
    return this.sockets.size;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private hold(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
  }

  private serve(socket: Socket): void {
    let received = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const request = parse(received);
      if (!request) return;
      received = Buffer.alloc(0);
      this.requests.push(request);
      behaviourOf(request.path)(socket);
    });
  }
}

function behaviourOf(path: string): Behaviour {
  return BEHAVIOURS[path.split(/[/?]/)[1] ?? ''] ?? BEHAVIOURS.ok!;
}

/** Parses a request with Content-Length; undefined while incomplete. */
function parse(bytes: Buffer): ReceivedRequest | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [start = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = bytes.subarray(end + 4);
  const length = Number(headers['content-length'] ?? 0);
  return body.length < length ? undefined : { path: start.split(' ')[1] ?? '', headers, body };
}
