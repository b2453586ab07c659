import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly text: string;
  /** Number of status lines: above one, the server parsed several requests. */
  readonly answers: number;
}

/** Sends raw bytes and reads until the server closes the connection. */
export function exchange(port: number, ...parts: (string | Buffer)[]): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const received: Buffer[] = [];
    const finish = () => resolve(answerOf(Buffer.concat(received).toString('latin1')));
    socket.on('connect', () =>
      parts.forEach((part) => socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part)),
    );
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? finish() : reject(error),
    );
    socket.on('close', finish);
  });
}

/** Opens a connection to write in steps. */
export function dial(
  port: number,
): Promise<{ socket: Socket; next: (until: (text: string) => boolean) => Promise<RawAnswer> }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    let check = () => {};
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      check();
    });
    let closed = false;
    socket.on('close', () => {
      closed = true;
      check();
    });
    socket.on('error', reject);
    const next = (until: (text: string) => boolean) =>
      new Promise<RawAnswer>((done) => {
        check = () => {
          if (closed || until(text)) done(answerOf(text));
        };
        check();
      });
    socket.on('connect', () => resolve({ socket, next }));
  });
}

/** A request head from lines; the blank line that ends it is added. */
export const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;

function answerOf(text: string): RawAnswer {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text);
  return { status: Number(status?.[1] ?? 0), text, answers: text.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0 };
}
