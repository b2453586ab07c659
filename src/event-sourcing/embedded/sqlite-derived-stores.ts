import type { Position } from '../../kernel/recorded-event.js';
import { IndexBlocks, type IndexBlock } from '../ports/index-blocks.port.js';
import { positionFromNumber } from '../write/event-codec.js';
import type { Connection } from './connection.js';
import type { WriterClient } from './writer-client.js';
import Database, { type Statement } from 'better-sqlite3';
import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CheckpointStore } from '../ports/event-store.port.js';
import { HashStore, PROGRESS } from '../ports/hash-store.port.js';
import { isDamage } from './sqlite-errors.js';

/** Written between the commits of others, a part at a time. */
export class SqliteIndexBlocks extends IndexBlocks {
  private readonly selectFrom: Statement;
  private readonly selectNewest: Statement;

  constructor(
    reader: Connection,
    private readonly writer: WriterClient,
  ) {
    super();
    this.selectFrom = reader.prepare(FROM);
    this.selectNewest = reader.prepare(NEWEST);
  }

  async from(owner: string, position: Position, max: number): Promise<readonly IndexBlock[]> {
    return (this.selectFrom.all({ owner, position: Number(position), max }) as Row[]).map(blockOf);
  }

  async newest(owners: readonly string[]): Promise<readonly IndexBlock[]> {
    const rows = owners.map((owner) => this.selectNewest.get({ owner }) as Row | undefined);
    return rows.filter((row) => row !== undefined).map(blockOf);
  }

  async put(blocks: readonly IndexBlock[]): Promise<void> {
    const rows = blocks.map(({ owner, first, count, bytes }) => [owner, Number(first), count, bytes]);
    await this.writer.write(PUT_BLOCK, rows);
  }

  async clear(before: string): Promise<void> {
    await this.writer.write('DELETE FROM index_blocks WHERE owner < ?', [[before]]);
  }
}

interface Row extends Omit<IndexBlock, 'first'> {
  readonly first: number;
}

const blockOf = ({ first, ...row }: Row): IndexBlock => ({ ...row, first: positionFromNumber(first) });

const FROM = `
  SELECT owner, first, count, bytes FROM index_blocks
  WHERE owner = $owner AND first >= coalesce(
    (SELECT max(first) FROM index_blocks WHERE owner = $owner AND first <= $position), 0)
  ORDER BY first LIMIT $max`;
const PUT_BLOCK = `
  INSERT INTO index_blocks (owner, first, count, bytes) VALUES (?, ?, ?, ?)
  ON CONFLICT (owner, first) DO UPDATE SET count = excluded.count, bytes = excluded.bytes
  WHERE excluded.count > count`;
const NEWEST = `
  SELECT owner, first, count, bytes FROM index_blocks WHERE owner = $owner ORDER BY first DESC LIMIT 1`;

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
    const put = db.prepare(PUT_BLOB);
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

const PUT_BLOB = `
  INSERT INTO blobs (key, bytes) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET bytes = excluded.bytes WHERE length(excluded.bytes) >= length(bytes)`;

/** Each write shares the current commit. */
export class SqliteCheckpointStore extends CheckpointStore {
  private readonly select: Statement;

  constructor(
    reader: Connection,
    private readonly writer: WriterClient,
  ) {
    super();
    this.select = reader.prepare('SELECT position FROM checkpoints WHERE name = ?').pluck();
  }

  async get(name: string): Promise<Position | undefined> {
    return this.select.get(name) as Position | undefined;
  }

  async put(name: string, position: Position): Promise<void> {
    await this.writer.write(PUT_CHECKPOINT, [[name, position]]);
  }

  async replace(name: string, before: string | undefined, text: string): Promise<boolean> {
    return (await this.writer.write(REPLACE_CHECKPOINT, [[name, text, name, before ?? null]])) > 0;
  }
}

const PUT_CHECKPOINT = `
  INSERT INTO checkpoints (name, position) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET position = excluded.position WHERE excluded.position > position`;
const REPLACE_CHECKPOINT = `
  INSERT INTO checkpoints (name, position) SELECT ?, ?
  WHERE (SELECT position FROM checkpoints WHERE name = ?) IS ?
  ON CONFLICT (name) DO UPDATE SET position = excluded.position`;
