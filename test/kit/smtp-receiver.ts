import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Mail server on a plain socket that keeps what it acknowledges. */
export class SmtpReceiver {
  readonly mails: ReceivedMail[] = [];
  /** Answers of the next mails instead of an acknowledgement. */
  readonly refusals: string[] = [];
  private readonly sockets = new Set<Socket>();
  private held: { readonly command: string; readonly came: (answer: () => void) => void } | undefined;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<SmtpReceiver> {
    const server = createServer();
    const receiver = new SmtpReceiver(server);
    server.on('connection', (socket) => receiver.serve(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get connections(): number {
    return this.sockets.size;
  }

  /** Resolves when a client sends the command, which is answered only then, by a call. */
  hold(command: string): Promise<() => void> {
    return new Promise((came) => (this.held = { command, came }));
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
    const envelope = { from: '', to: '' };
    let received = '';
    let isData = false;
    socket.write('220 test ESMTP\r\n');
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk;
      for (let end = ending(received, isData); end >= 0; end = ending(received, isData)) {
        const part = received.slice(0, end);
        received = received.slice(end + (isData ? 5 : 2));
        if (isData) socket.write(this.take(envelope, part));
        else this.answer(part, () => socket.write(answerTo(part, envelope)));
        isData = !isData && /^DATA$/i.test(part);
      }
    });
  }

  private answer(command: string, answer: () => void): void {
    const { held } = this;
    if (!held || !command.startsWith(held.command)) return answer();
    this.held = undefined;
    held.came(answer);
  }

  private take(envelope: { from: string; to: string }, data: string): string {
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return `${refusal}\r\n`;
    const end = data.indexOf('\r\n\r\n');
    const lines = data
      .slice(0, end)
      .replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n');
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    );
    const body = data.slice(end + 4);
    this.mails.push({
      ...envelope,
      headers,
      text: decoded(body, headers['content-transfer-encoding'] ?? ''),
    });
    return '250 taken\r\n';
  }
}

const ending = (received: string, isData: boolean) => received.indexOf(isData ? '\r\n.\r\n' : '\r\n');

function answerTo(line: string, envelope: { from: string; to: string }): string {
  const [, address = ''] = /<([^<>]*)>/.exec(line) ?? [];
  if (/^MAIL/i.test(line)) envelope.from = address;
  if (/^RCPT/i.test(line)) envelope.to = address;
  if (/^DATA$/i.test(line)) return '354 go on\r\n';
  return /^QUIT$/i.test(line) ? '221 bye\r\n' : '250 ok\r\n';
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
