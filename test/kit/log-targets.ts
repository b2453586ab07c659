import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync, truncateSync, writeSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Capacity of a pipe on Linux. */
const PIPE_BYTES = 65_536;

/** A named pipe that the test reads, fills or leaves without a reader. */
export class NamedPipe {
  private reader: number | undefined;

  private constructor(private readonly root: string) {
    this.attach();
  }

  static async make(): Promise<NamedPipe> {
    const root = await mkdtemp(join(tmpdir(), 'rps-pipe-'));
    const { status } = spawnSync('mkfifo', [join(root, 'pipe')]);
    if (status !== 0) throw new Error('mkfifo failed');
    return new NamedPipe(root);
  }

  /** Fills the pipe, then starts. */
  async writtenWhenFull<T>(start: (fd: number) => T | Promise<T>): Promise<T> {
    return this.written((fd) => {
      writeSync(fd, Buffer.alloc(PIPE_BYTES));
      return start(fd);
    });
  }

  /** Closes the reading end, then starts. */
  async writtenWhenClosed<T>(start: (fd: number) => T | Promise<T>): Promise<T> {
    return this.written((fd) => {
      this.detach();
      return start(fd);
    });
  }

  /** Opens the writing end, calls `start` with it and closes it here. */
  async written<T>(start: (fd: number) => T | Promise<T>): Promise<T> {
    const fd = this.open();
    try {
      return await start(fd);
    } finally {
      closeSync(fd);
    }
  }

  /** Opens the writing end. */
  open(flags = 0): number {
    return openSync(join(this.root, 'pipe'), constants.O_WRONLY | flags);
  }

  /** Opens the reading end again after `detach`. */
  attach(): void {
    this.reader = openSync(join(this.root, 'pipe'), constants.O_RDONLY | constants.O_NONBLOCK);
  }

  detach(): void {
    if (this.reader !== undefined) closeSync(this.reader);
    this.reader = undefined;
  }

  /** Reads the available bytes. */
  read(): string {
    const page = Buffer.alloc(PIPE_BYTES);
    let text = '';
    try {
      for (let bytes = PIPE_BYTES; bytes > 0;) {
        bytes = readSync(this.reader!, page);
        text += page.toString('utf8', 0, bytes);
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    }
    return text;
  }

  async remove(): Promise<void> {
    this.detach();
    await rm(this.root, { recursive: true, force: true });
  }
}

/** Calls `start` with a descriptor that fails every write with ENOSPC. */
export async function onFullDevice<T>(start: (fd: number) => T | Promise<T>): Promise<T> {
  const fd = openSync('/dev/full', 'w');
  try {
    return await start(fd);
  } finally {
    closeSync(fd);
  }
}

/** A file system of 64 KiB. */
export class SmallDisk {
  private constructor(private readonly root: string) {}

  /** Undefined without the right to mount. */
  static async mount(): Promise<SmallDisk | undefined> {
    const root = await mkdtemp(join(tmpdir(), 'rps-disk-'));
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', root]);
    if (status === 0) return new SmallDisk(root);
    await rm(root, { recursive: true });
    return undefined;
  }

  /** Fills all but two pages. */
  async fill(): Promise<void> {
    await writeFile(join(this.root, 'filler'), Buffer.alloc(14 * 4_096));
  }

  /** Path of a file or folder on this disk. */
  path(name: string): string {
    return join(this.root, name);
  }

  /** Leaves no free page. Files can still grow within their last page. */
  fillUp(): void {
    const fd = openSync(join(this.root, 'filler'), 'a');
    try {
      for (;;) writeSync(fd, Buffer.alloc(4_096));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(fd);
    }
  }

  makeRoom(): void {
    truncateSync(join(this.root, 'filler'), 0);
  }

  open(): number {
    return openSync(join(this.root, 'log'), 'a');
  }

  log(): string {
    return readFileSync(join(this.root, 'log'), 'utf8');
  }

  async remove(): Promise<void> {
    spawnSync('umount', [this.root]);
    await rm(this.root, { recursive: true, force: true });
  }
}
