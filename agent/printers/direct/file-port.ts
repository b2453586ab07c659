import { constants, access, open, stat, type FileHandle } from 'node:fs/promises';
import { isatty } from 'node:tty';
import { setTimeout as pause } from 'node:timers/promises';
import { runProgram } from '../../windows-program.js';
import { abortable } from '../../abortable.js';
import type { Moving } from '../provider.js';
import { devicePath, isDevicePath } from './addresses.js';
import type { Condition } from './condition.js';
import type { Connection, Port } from './port.js';

const FULL_PAUSE_MS = 20;
const ON_WINDOWS = process.platform === 'win32';

/** `file:/dev/usb/lp0`, `file:COM3`: bytes for a device of the system, or at the end of a file that exists. */
export class FilePort implements Port {
  private readonly path: string;
  private readonly file: string;
  private readonly baud: string | null;

  /** @param devicesOnly refuses what is no device, for addresses that the service gave */
  constructor(
    address: URL,
    private readonly devicesOnly: boolean,
  ) {
    this.path = devicePath(address);
    this.file = ON_WINDOWS && isDevicePath(this.path) ? `\\\\.\\${this.path}` : this.path;
    this.baud = address.searchParams.get('baud');
  }

  /** Opens nothing on Unix: opening a serial port resets some devices. */
  async condition(): Promise<Condition> {
    try {
      if (ON_WINDOWS) await (await open(this.file, 'r+')).close();
      else await access(this.file, constants.W_OK);
      return { online: true };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return { online: false, trouble: code === 'ENOENT' ? `${this.path} is missing` : String(error) };
    }
  }

  /** Never waits in the system, where a printer that is off could hold a thread for ever. */
  async open(): Promise<Connection> {
    const { O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants;
    const flags = ON_WINDOWS ? 'r+' : O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY;
    if (this.devicesOnly && !ON_WINDOWS && !(await stat(this.file)).isCharacterDevice())
      throw new Error(`${this.path} is not a device`);
    const handle = await open(this.file, flags);
    try {
      await this.configure(handle);
      const hasDriver = !ON_WINDOWS && (await handle.stat()).isCharacterDevice();
      return new FileConnection(handle, hasDriver);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  /** A terminal changes line ends unless it is raw. */
  private async configure({ fd }: FileHandle): Promise<void> {
    const speed = this.baud === null ? [] : [this.baud];
    if (ON_WINDOWS && this.baud !== null) await runProgram('mode', [this.path, `BAUD=${this.baud}`]);
    else if (!ON_WINDOWS && isatty(fd)) await runProgram('stty', ['-F', this.path, 'raw', '-echo', ...speed]);
  }
}

class FileConnection implements Connection {
  sent = 0;
  private writing: Promise<unknown> = Promise.resolve();

  /** @param hasDriver of a device, which takes bytes before it has passed them on */
  constructor(
    private readonly handle: FileHandle,
    private readonly hasDriver: boolean,
  ) {}

  async write(bytes: Uint8Array, { signal, moved }: Moving): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const taken = await this.writeSome(bytes.subarray(at), signal);
      at += taken;
      if (taken > 0) moved();
      else await pause(FULL_PAUSE_MS, undefined, { signal });
    }
  }

  /** Closing `/dev/usb/lp*` cuts the bytes that are on their way (8 KB), and until then its driver takes no write. */
  async end({ signal }: Moving): Promise<{ readonly taken: Promise<void> }> {
    while (this.hasDriver && (await this.taken('', signal)) === undefined)
      await pause(FULL_PAUSE_MS, undefined, { signal });
    await this.handle.close();
    return { taken: Promise.resolve() };
  }

  /** A write that waits in the system cannot be ended, so the file stays open until it is done. */
  async destroy(): Promise<void> {
    await this.writing.catch(() => undefined);
    await this.handle.close().catch(() => undefined);
  }

  /** Resolves to 0 if the device is full. All bytes count as sent until the system has said how many it took. */
  private async writeSome(bytes: Uint8Array, signal: AbortSignal): Promise<number> {
    signal.throwIfAborted();
    this.sent += bytes.length;
    const taken = (await this.taken(bytes, signal)) ?? 0;
    this.sent -= bytes.length - taken;
    return taken;
  }

  /**
   * Undefined if the device is full, the only failure that proves that it took nothing. An empty text is written all
   * the same, which Node does not do for an empty buffer.
   */
  private async taken(data: Uint8Array | '', signal: AbortSignal): Promise<number | undefined> {
    const writing = typeof data === 'string' ? this.handle.write(data) : this.handle.write(data);
    this.writing = writing;
    try {
      return (await abortable<{ bytesWritten: number }>(writing, signal)).bytesWritten;
    } catch (error) {
      if (!signal.aborted && (error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined;
      throw error;
    }
  }
}
