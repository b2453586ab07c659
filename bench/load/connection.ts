import { connect, type Socket } from 'node:net';

const HEAD_END = '\r\n\r\n';
const LENGTH = /content-length: (\d+)/i;
/** Offset of the status in `HTTP/1.1 201`. */
const STATUS_AT = 9;

const closed = () => new Error('the connection was closed');

/**
 * One keep-alive connection with one request at a time. Parses only answers with a content length, to save CPU: the
 * generator shares its cores with the service.
 */
export class Connection {
  private readonly socket: Socket;
  private pending: Buffer | undefined;
  private settle: ((status: number) => void) | undefined;
  private fail: ((error: Error) => void) | undefined;

  constructor(host: string, port: number) {
    this.socket = connect({ host, port, noDelay: true });
    this.socket.on('data', (chunk) => this.receive(chunk));
    this.socket.on('error', (error) => this.fail?.(error));
    this.socket.on('close', () => this.fail?.(closed()));
  }

  /** Resolves to the status once the whole answer is received. */
  send(head: string, body: string | Uint8Array | undefined): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.socket.closed) return reject(closed());
      this.settle = resolve;
      this.fail = reject;
      if (typeof body === 'string') this.socket.write(head + body);
      else {
        this.socket.write(head);
        if (body) this.socket.write(body);
      }
    });
  }

  close(): void {
    this.fail = undefined;
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    const bytes = this.pending ? Buffer.concat([this.pending, chunk]) : chunk;
    const end = bytes.indexOf(HEAD_END);
    const head = end < 0 ? '' : bytes.toString('latin1', 0, end);
    const length = Number(LENGTH.exec(head)?.[1] ?? 0);
    if (end < 0 || bytes.length < end + HEAD_END.length + length) {
      this.pending = bytes;
      return;
    }
    this.pending = undefined;
    this.settle?.(Number(head.slice(STATUS_AT, STATUS_AT + 3)));
  }
}
