import Database, { type Statement } from 'better-sqlite3';
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { HashStore, PROGRESS } from '../ports/hash-store.port.js';
import type { Connection } from './connection.js';
import { isDamage } from './sqlite-errors.js';

const FILE = 'evidence.db';
export const HASH_FILES = [FILE, `${FILE}-wal`, `${FILE}-shm`];
const BUSY_MS = 5_000;

/** A database of its own, so that no commit of events waits for it and no backup copies it. */
export class SqliteHashStore extends HashStore {
  private readonly select: Statement;
  private readonly writeAll: (blobs: ReadonlyMap<string, Uint8Array>, progress: Uint8Array) => void;

  /** Begins anew if the file is damaged. */
  static open(dataDir: string): SqliteHashStore {
    const open = () => {
      // SQLite gives its other files the same mode.
      closeSync(openSync(join(dataDir, FILE), 'a', 0o600));
      return SqliteHashStore.again(dataDir);
    };
    try {
      return open();
    } catch (error) {
      if (!isDamage(error)) throw error;
      for (const name of HASH_FILES) rmSync(join(dataDir, name), { force: true });
      return open();
    }
  }

  /** Another connection to the file that is open in this process. */
  static again(dataDir: string): SqliteHashStore {
    return new SqliteHashStore(new Database(join(dataDir, FILE), { timeout: BUSY_MS, fileMustExist: true }));
  }

  constructor(private readonly db: Connection) {
    super();
    db.pragma('cache_size = -2048');
    db.pragma('journal_mode = WAL');
    // A crash of the machine may lose the newest hashes, which are computed again.
    db.pragma('synchronous = NORMAL');
    db.exec('CREATE TABLE IF NOT EXISTS blobs (key TEXT NOT NULL UNIQUE, bytes BLOB NOT NULL)');
    this.select = db.prepare('SELECT bytes FROM blobs WHERE key = ?').pluck();
    const put = db.prepare(PUT);
    const setProgress = db.prepare('INSERT OR REPLACE INTO blobs (key, bytes) VALUES (?, ?)');
    this.writeAll = db.transaction((blobs, progress) => {
      for (const [key, bytes] of blobs) put.run(key, bytes);
      setProgress.run(PROGRESS, progress);
    });
  }

  protected async read(key: string): Promise<Uint8Array | undefined> {
    return this.select.get(key) as Uint8Array | undefined;
  }

  protected async write(values: ReadonlyMap<string, Uint8Array>, progress: Uint8Array): Promise<void> {
    this.writeAll(values, progress);
  }

  async clear(): Promise<void> {
    this.db.exec('DELETE FROM blobs');
  }

  close(): void {
    this.db.close();
  }
}

const PUT = `
  INSERT INTO blobs (key, bytes) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes WHERE length(excluded.bytes) >= length(bytes)`;
