import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { note, type Running } from './attack.js';

export interface Held {
  readonly count: number;
  readonly from: string;
  /** Writes the request, in a connection just opened. */
  readonly start: (socket: Socket, n: number) => void;
  /** Pause before an ended connection is opened again. */
  readonly reopenMs: number;
  /** Keeps a connection open after an answer of this status; the default keeps successes. */
  readonly keeps?: (status: number) => boolean;
  /** False: reads no more than the first bytes of an answer. */
  readonly reads?: boolean;
}

/** Offset of the status in `HTTP/1.1 201`. */
const STATUS_AT = 9;

/** Keeps raw connections open until the attack ends. Counts the status of the first answer of each. */
export async function hold(running: Running, held: Held): Promise<void> {
  const { hostname, port } = new URL(running.url);
  const keeps = held.keeps ?? ((status) => status < 300);
  const open = new Set<Socket>();
  const connection = (n: number) =>
    new Promise<void>((ended) => {
      const socket = connect({ host: hostname, port: Number(port), localAddress: held.from, noDelay: true });
      open.add(socket);
      socket.once('connect', () => held.start(socket, n));
      socket.once('data', (chunk) => {
        const status = chunk.toString('latin1', STATUS_AT, STATUS_AT + 3);
        note(running.counts, status);
        if (!keeps(Number(status))) socket.destroy();
        else if (held.reads === false) socket.pause();
        else socket.resume();
      });
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        ended();
      });
    });
  const keep = async (n: number) => {
    while (performance.now() < running.until) {
      await connection(n);
      await pause(held.reopenMs);
    }
  };
  const all = Array.from({ length: held.count }, (_, n) => keep(n));
  await pause(Math.max(0, running.until - performance.now()));
  note(running.counts, `held ${open.size}`);
  for (const socket of open) socket.destroy();
  await Promise.all(all);
}

/** The head of a request for a raw connection. */
export function headOf(url: string, route: string, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${route} HTTP/1.1\r\nhost: ${new URL(url).host}\r\n${lines.join('')}\r\n`;
}
