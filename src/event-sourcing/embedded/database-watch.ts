import { stat } from 'node:fs/promises';
import { statSync } from 'node:fs';
import type { Milliseconds } from '../../kernel/time.js';
import { databaseFile } from './connection.js';
import { UnavailableError } from '../../kernel/errors.js';

/** Writes into a lost database are acknowledged for at most this long. */
const INTERVAL_MS: Milliseconds = 2_000;
/** SQLite keeps all three files while a connection is open. */
const FILES = ['', '-wal', '-shm'];
const GONE = ['ENOENT', 'ENOTDIR', 'ESTALE'];

/** Writes to a deleted, moved or replaced file are lost silently, so compare device and inode. */
export class DatabaseWatch {
  private readonly opened: ReadonlyMap<string, string>;
  private readonly timer: NodeJS.Timeout;
  private looking = false;
  private lost = false;

  constructor(
    dataDir: string,
    private readonly onLost: (error: UnavailableError) => void,
  ) {
    const files = FILES.map((suffix) => databaseFile(dataDir) + suffix);
    this.opened = new Map(files.map((file) => [file, identityOf(statSync(file, { bigint: true }))]));
    this.timer = setInterval(() => void this.check(), INTERVAL_MS).unref();
  }

  /** A blocked file system delays nothing else. */
  async check(): Promise<void> {
    if (this.looking || this.lost) return;
    this.looking = true;
    for (const [file, opened] of this.opened) {
      const found = await find(file);
      if (found !== undefined && found !== opened) this.lose(file, found);
    }
    this.looking = false;
  }

  stop(): void {
    this.lost = true;
    clearInterval(this.timer);
  }

  private lose(file: string, found: string): void {
    if (this.lost) return;
    this.stop();
    const fate = found === 'gone' ? 'deleted, moved or unmounted' : 'replaced by another file';
    this.onLost(new UnavailableError(`${file} was ${fate} while it was in use`, 'not_written'));
  }
}

/** Undefined if unknown: an unreadable folder does not count as lost. */
async function find(file: string): Promise<string | undefined> {
  try {
    return identityOf(await stat(file, { bigint: true }));
  } catch (error) {
    return GONE.includes((error as NodeJS.ErrnoException).code ?? '') ? 'gone' : undefined;
  }
}

function identityOf({ dev, ino }: { readonly dev: bigint; readonly ino: bigint }): string {
  return `${dev}:${ino}`;
}
