import { connect, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { abortable } from '../../abortable.js';
import type { Moving } from '../provider.js';
import type { Condition } from './condition.js';
import type { Connection, Port } from './port.js';
import { statusOf } from './status.js';

const RAW_PORT = 9100;
const CHECK_WITHIN_MS = 3000;
/** A device that closes so soon after the last byte did not wait for the end of the document: it cut it. */
const CUT_WITHIN_MS = 250;
/** As long as the service waits for the end of a job by default. */
const HOLD_MS = 30 * 60_000;
/** For a device that is not waited for to close its side by itself. */
const LINGER_MS = 500;

/** `socket://host:9100`: bytes over TCP, as JetDirect, Zebra and ESC/POS printers take them. */
export class SocketPort implements Port {
  private readonly target: { readonly host: string; readonly port: number };

  constructor(private readonly address: URL) {
    const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
    this.target = { host, port: Number(address.port || RAW_PORT) };
  }

  async condition(): Promise<Condition> {
    const signal = AbortSignal.timeout(CHECK_WITHIN_MS);
    const open = (): Promise<Socket> => connected(this.target, signal);
    return statusOf(this.address, open, signal).catch((error: unknown) => ({
      online: false,
      trouble: signal.aborted ? 'does not answer' : reasonOf(error),
    }));
  }

  async open(signal: AbortSignal): Promise<Connection> {
    const waitsForEnd = this.address.searchParams.get('waiteof') !== 'false';
    return new SocketConnection(await connected(this.target, signal), waitsForEnd);
  }
}

class SocketConnection implements Connection {
  sent = 0;
  private failure: Error | undefined;
  private readonly cut: Promise<void>;
  private readonly onEarlyEnd = (): void =>
    void (this.failure ??= new Error('the printer closed the connection'));

  constructor(
    private readonly socket: Socket,
    private readonly waitsForEnd: boolean,
  ) {
    socket.on('error', (error) => (this.failure ??= error)).on('end', this.onEarlyEnd);
    this.cut = new Promise((resolve) => socket.once('error', () => resolve()).once('end', () => resolve()));
    socket.resume(); // Unread answers would keep the end of the connection from us.
  }

  async write(bytes: Uint8Array, { signal, moved }: Moving): Promise<void> {
    await this.stillOpen();
    this.sent += bytes.length;
    const written = new Promise<void>((resolve, reject) => {
      this.socket.write(bytes, (error) => (error ? reject(this.failure ?? error) : resolve()));
    });
    await abortable(written, signal);
    moved();
  }

  /**
   * Only a device that closes after our end has taken the document: one that closes before it has cut the document,
   * although the system took every byte.
   */
  async end({ signal }: Moving): Promise<{ readonly taken: Promise<void> }> {
    await abortable(Promise.race([pause(CUT_WITHIN_MS, undefined, { ref: false }), this.cut]), signal);
    await this.stillOpen();
    const { socket } = this;
    socket.off('end', this.onEarlyEnd);
    if (!this.waitsForEnd) return { taken: left(socket) };
    const taken = new Promise<void>((resolve, reject) => {
      socket.once('close', () => (this.failure ? reject(this.failure) : resolve()));
    });
    taken.catch(() => undefined);
    socket.setTimeout(HOLD_MS, () => socket.destroy(new Error('the printer never closed the connection')));
    socket.end();
    return { taken };
  }

  destroy(): Promise<void> {
    this.socket.destroy();
    return Promise.resolve();
  }

  /** Lets the events of a closed connection arrive first, also on a busy computer. */
  private async stillOpen(): Promise<void> {
    for (let turns = 0; turns < 3; turns++) await turn();
    if (this.failure) throw this.failure;
  }
}

/** Resolves once the connection is gone, because many devices take one at a time. */
async function left(socket: Socket): Promise<void> {
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.end(() => setTimeout(() => socket.destroy(), LINGER_MS).unref());
  await closed;
}

/** A half-open connection stays open for us: the device may close its half first. */
async function connected(
  target: { readonly host: string; readonly port: number },
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connect({ ...target, allowHalfOpen: true, noDelay: true });
  const open = new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  try {
    await abortable(open, signal);
    return socket;
  } catch (error) {
    socket.on('error', () => undefined).destroy();
    throw error;
  }
}

function reasonOf(error: unknown): string {
  const reasons: Record<string, string> = {
    ECONNREFUSED: 'refuses connections',
    ENOTFOUND: 'its host name is not known',
    EHOSTUNREACH: 'cannot be reached',
    ENETUNREACH: 'cannot be reached',
  };
  const { code = '' } = error as NodeJS.ErrnoException;
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}
