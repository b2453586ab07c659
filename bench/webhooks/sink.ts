import { createServer, type Socket } from 'node:net';
import { quantile } from '../statistics.js';

/** Arrivals at one group of paths (`/ok/…`, `/hole/…`) since the last reset. */
export interface Arrivals {
  readonly count: number;
  /** Epoch milliseconds. */
  readonly first: number;
  readonly last: number;
  /** Milliseconds from `created_at` in the body (the time of the command, before its commit) to the arrival. */
  readonly p50: number;
  readonly p99: number;
}

export type SinkReport = Readonly<Record<string, Arrivals>>;

/** Separate process: webhook receiver that answers everything at once, except below `/hole/`. */
const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
const LENGTH = /content-length: (\d+)/i;
const CREATED = '"created_at":"';
const INSTANT = '2026-01-01T00:00:00.000Z'.length;
const MAX_PROBED = 4_096;

interface Group {
  count: number;
  first: number;
  last: number;
  readonly lags: number[];
}
const groups = new Map<string, Group>();

const server = createServer({ noDelay: true }, (socket) => {
  let pending = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    pending += chunk.toString('latin1');
    for (let taken = take(pending, socket); taken > 0; taken = take(pending, socket)) {
      pending = pending.slice(taken);
    }
  });
});

/** Answers the first request if complete; returns its length, or 0. */
function take(text: string, socket: Socket): number {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return 0;
  const length = Number(LENGTH.exec(text.slice(0, end))?.[1] ?? 0);
  const total = end + 4 + length;
  if (text.length < total) return 0;
  const group = text.slice(text.indexOf('/') + 1, text.indexOf('/', text.indexOf('/') + 1));
  note(group, text.slice(end + 4, Math.min(total, end + 4 + MAX_PROBED)));
  if (group !== 'hole') socket.write(ANSWER);
  return total;
}

function note(name: string, body: string): void {
  const now = Date.now();
  const at = body.indexOf(CREATED) + CREATED.length;
  let group = groups.get(name);
  if (!group) groups.set(name, (group = { count: 0, first: now, last: now, lags: [] }));
  group.count++;
  group.last = now;
  group.lags.push(now - Date.parse(body.slice(at, at + INSTANT)));
}

process.on('message', () => {
  const report: Record<string, Arrivals> = {};
  for (const [name, { count, first, last, lags }] of groups) {
    report[name] = { count, first, last, p50: quantile(lags, 0.5), p99: quantile(lags, 0.99) };
  }
  process.send!(report);
});
process.on('SIGUSR2', () => groups.clear());
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }));
