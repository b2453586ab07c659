import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { CorruptEventError, UnavailableError } from '../../kernel/errors.js';
import type { Position, RecordedEvent } from '../../kernel/recorded-event.js';
import {
  EventArchive,
  type ArchivedEvent,
  type ArchivedStream,
  type ArchiveFile,
} from '../ports/event-archive.port.js';
import type { StoredText } from '../ports/stored-texts.port.js';
import { decodeEvent, positionFromNumber } from '../write/event-codec.js';
import type { Connection } from './connection.js';
import { copyFile } from './files/copied-file.js';
import { syncFolder } from './files/private-files.js';
import { LogReader, type EventAt } from './log/log-reader.js';
import { LOG, SCHEMA_VERSION } from './log/log-schema.js';
import { canPack, packChecksum, packOf } from './log/pack.js';
import { isDamage, sqliteCode } from './sqlite-errors.js';

const OPEN_FILES = 32;
/** The operator creates it; the service never does. */
export const ARCHIVE_MARK = '.rps-archive';

interface OpenFile {
  readonly db: Connection;
  readonly log: LogReader;
}

/** Each file is a database with the tables of the log, in which every stream is packed. */
export class SqliteEventArchive extends EventArchive {
  private readonly opened = new LRUCache<string, OpenFile>({
    max: OPEN_FILES,
    dispose: ({ db }) => db.close(),
  });

  constructor(private readonly folder: string) {
    super();
  }

  async write(name: string, streams: AsyncIterable<readonly StoredText[]>): Promise<ArchiveFile | undefined> {
    this.refuseUnmarked();
    // SQLite writes where its file system is local.
    const temporary = mkdtempSync(join(tmpdir(), 'rps-archive-'));
    const [local, path] = [join(temporary, name), this.pathOf(name)];
    try {
      const counts = await written(local, streams);
      if (counts.events === 0) return undefined;
      const sum = await copyFile(local, path, 0o600);
      syncFolder(this.folder);
      // The folder may have been unmounted meanwhile.
      this.refuseUnmarked();
      return { name, ...sum, ...counts };
    } finally {
      rmSync(temporary, { recursive: true, force: true });
      rmSync(`${path}.copying`, { force: true });
    }
  }

  /** Without it, the folder may be the empty mount point of a file system that is away. */
  private refuseUnmarked(): void {
    const path = this.pathOf(ARCHIVE_MARK);
    if (existsSync(path)) return;
    const message = `the archive lacks ${path}: mount its folder, or create the file in that of a new archive`;
    throw new UnavailableError(message, 'not_written');
  }

  streams(file: ArchiveFile): readonly ArchivedStream[] {
    return this.read(file, ({ db }) => db.prepare(SQL.streams).all() as ArchivedStream[]);
  }

  stream(file: ArchiveFile, name: string, from: number, max: number): readonly RecordedEvent[] {
    return this.read(file, ({ log }) => log.load(name, from, max).map(decodeEvent));
  }

  after(file: ArchiveFile, position: Position | undefined, max: number): readonly ArchivedEvent[] {
    return this.read(file, ({ log }) => log.eventsAfter(Number(position ?? 0), max).map(archivedEvent));
  }

  close(): void {
    this.opened.clear();
  }

  private read<T>(file: ArchiveFile, work: (open: OpenFile) => T): T {
    try {
      return work(this.open(file));
    } catch (error) {
      // A stale handle, or a file that was repaired, is opened anew at the next read.
      this.opened.delete(file.name);
      if (error instanceof CorruptEventError || error instanceof UnavailableError) throw error;
      if (isDamage(error) && !sqliteCode(error)!.startsWith('SQLITE_IOERR'))
        throw new CorruptEventError(`in archive file ${file.name}`, 0, file.first, { cause: error });
      if (!(error instanceof Error && 'code' in error)) throw error;
      throw new UnavailableError(`archive file ${file.name}: ${error.message}`, 'not_written', {
        cause: error,
      });
    }
  }

  /** A lost row of an index would hide events, so their number is compared. */
  private open(file: ArchiveFile): OpenFile {
    const known = this.opened.get(file.name);
    if (known) return known;
    const path = this.pathOf(file.name);
    const bytes = statSync(path, { throwIfNoEntry: false })?.size;
    if (bytes === undefined) throw missing(path);
    const db = new Database(path, { readonly: true, fileMustExist: true });
    const open = { db, log: new LogReader(db) };
    if (bytes !== file.bytes || open.log.count() !== file.events) {
      db.close();
      throw new CorruptEventError(`in archive file ${file.name}`, 0, file.first);
    }
    this.opened.set(file.name, open);
    return open;
  }

  private pathOf(name: string): string {
    return join(this.folder, name);
  }
}

const missing = (path: string) => new UnavailableError(`the archive lacks ${path}`, 'not_written');

/** The error of a damaged pack names its first event. */
function archivedEvent({ position: number, row }: EventAt): ArchivedEvent {
  const position = positionFromNumber(number);
  const read = () => {
    try {
      return decodeEvent(row());
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      throw new CorruptEventError(error.stream, error.revision, position, { cause: error });
    }
  };
  return { position, read };
}

type Counts = Pick<ArchiveFile, 'streams' | 'events' | 'first' | 'last'>;

/** Not durable: a crash leaves a file that nothing refers to. */
async function written(path: string, streams: AsyncIterable<readonly StoredText[]>): Promise<Counts> {
  closeSync(openSync(path, 'w', 0o600));
  const db = new Database(path);
  try {
    for (const setting of ['journal_mode = OFF', 'synchronous = OFF', 'locking_mode = EXCLUSIVE'])
      db.pragma(setting);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
    db.exec(LOG);
    db.exec('BEGIN');
    const add = adding(db);
    for await (const rows of streams) if (canPack(rows)) add(rows);
    db.exec('COMMIT');
    const { first, last, ...counts } = db.prepare(SQL.counts).get() as Record<keyof Counts, number>;
    return { ...counts, first: positionFromNumber(first), last: positionFromNumber(last) };
  } finally {
    db.close();
  }
}

function adding(db: Connection): (rows: readonly StoredText[]) => void {
  const [addStream, addPack, addPacked] = [SQL.addStream, SQL.addPack, SQL.addPacked].map((text) =>
    db.prepare(text),
  );
  return (rows) => {
    const [{ stream, revision: first, position: at }, last] = [rows[0]!, rows.at(-1)!];
    const position = Number(at);
    const pack = packOf(rows);
    const { lastInsertRowid: number } = addStream!.run(stream);
    const checksum = packChecksum(pack, { stream, first, position });
    addPack!.run(position, number, first, last.revision, checksum, pack);
    for (const row of rows) addPacked!.run(Number(row.position), position);
  };
}

const SQL = {
  addStream: 'INSERT INTO streams (name) VALUES (?)',
  addPack: 'INSERT INTO packs (id, stream, first, last, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  addPacked: 'INSERT INTO packed (position, pack) VALUES (?, ?)',
  counts: `
    SELECT (SELECT count(*) FROM packs) AS streams, count(*) AS events,
      ifnull(min(position), 0) AS first, ifnull(max(position), 0) AS last FROM packed`,
  streams:
    'SELECT name, last + 1 AS events FROM packs JOIN streams ON streams.id = packs.stream ORDER BY packs.id',
} as const;
