import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

interface Cut {
  /** Bytes that the device takes before. */
  readonly after: number;
  /** By a reset, or as if the document had ended. */
  readonly by: 'reset' | 'close';
}

/** A printer at a raw TCP port, as JetDirect devices are: it prints what arrives, one document a connection. */
export class RawPrinter {
  /** What each connection with bytes has printed. */
  readonly documents: { name: string; bytes: Buffer; ended: boolean }[] = [];
  /** Name of the document that comes next. */
  expecting = '';
  connections = 0;
  /** Cuts the next connections. */
  cut: Cut | undefined;
  /** Stops reading after so many bytes of each document. */
  stallsAfter = Infinity;
  /** Keeps its side of the connection open after a document. */
  keepsOpen = false;
  /** Answers requests for the status, which it does not print. */
  answer: (said: Buffer) => Buffer | undefined = () => undefined;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<RawPrinter> {
    const server = createServer({ allowHalfOpen: true }, (socket) => printer.serve(socket));
    const printer = new RawPrinter(server);
    await printer.listen(0);
    return printer;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get address(): string {
    return `socket://127.0.0.1:${this.port}`;
  }

  /** All copies of each document in a row. */
  printed(): Map<string, Buffer> {
    const byName = new Map<string, Buffer>();
    for (const { name, bytes } of this.documents)
      byName.set(name, Buffer.concat([byName.get(name) ?? Buffer.alloc(0), bytes]));
    return byName;
  }

  /** Closes the connections that it keeps open. */
  release(): void {
    for (const socket of this.sockets) socket.resume().end();
  }

  /** Switched off: connections are reset, new ones refused. Resolves to the way to switch it on again. */
  async off(): Promise<() => Promise<void>> {
    const { port } = this;
    for (const socket of this.sockets) socket.resetAndDestroy();
    await new Promise((resolve) => this.server.close(resolve));
    return () => this.listen(port);
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }

  private listen(port: number): Promise<void> {
    return new Promise((resolve) => this.server.listen(port, '127.0.0.1', resolve));
  }

  private serve(socket: Socket): void {
    this.connections++;
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    const document = { name: this.expecting, bytes: Buffer.alloc(0), ended: false };
    if (this.cut?.after === 0) return this.cutOff(socket);
    socket.on('data', (bytes) => {
      const answer = this.answer(bytes);
      if (answer) return void socket.write(answer);
      if (document.bytes.length === 0) this.documents.push(document);
      const space = (this.cut?.after ?? Infinity) - document.bytes.length;
      document.bytes = Buffer.concat([document.bytes, bytes.subarray(0, space)]);
      if (bytes.length >= space) this.cutOff(socket);
      if (document.bytes.length >= this.stallsAfter) socket.pause();
    });
    socket.on('end', () => {
      document.ended = true;
      if (!this.keepsOpen) socket.end();
    });
  }

  private cutOff(socket: Socket): void {
    if (this.cut?.by === 'close') socket.destroy();
    else socket.resetAndDestroy();
  }
}
