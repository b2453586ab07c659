import Database from 'better-sqlite3';
import type { Position } from '../../kernel/recorded-event.js';
import { positionFromNumber } from '../write/event-codec.js';
import { databaseFile, openForReading, openLogForReading } from './connection.js';
import { DocumentForm, type DocumentRow, compactId } from './document-form.js';
import { lostArchiveFile } from './log/archive-files.js';
import { LogReader } from './log/log-reader.js';
import { readEvents } from './stored-data-health-check.js';
import { damageIn, withDatabase } from './stored-state.js';
import { ViewRegistry } from './view-registry.js';

/** Keeps each step short, because the same thread handles signals. */
const PAGES_A_STEP = 4_000;

export interface OutsideDocument {
  readonly jobId: string;
  readonly hash: string;
  readonly listedAs: string;
}

/** Snapshot, including the log, as a single file that can be read on a read-only disk. */
export async function copyDatabase(dataDir: string, folder: string): Promise<void> {
  const source = openForReading(dataDir);
  try {
    // One read transaction: otherwise each commit of the service restarts the copy.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM views').get();
    await source.backup(databaseFile(folder), { progress: () => PAGES_A_STEP });
  } finally {
    source.close();
  }
  const copy = new Database(databaseFile(folder), { fileMustExist: true });
  copy.pragma('journal_mode = DELETE');
  copy.close();
}

/** First finding of `integrity_check`; undefined if sound. */
export function damageOf(folder: string): string | undefined {
  return withDatabase(folder, damageIn);
}

/** Says which file of the archive is missing or too short. */
export function lostArchive(folder: string): string | undefined {
  return withDatabase(folder, lostArchiveFile);
}

export interface CopiedLog {
  readonly events: number;
  readonly head: Position | undefined;
  /** Which events do not match their checksums. */
  readonly damaged: string | undefined;
}

/** Reads each event: neither SQLite nor the checksum of a file notices one that was damaged before. */
export function logOf(folder: string): CopiedLog {
  return withDatabase(
    folder,
    (db) => {
      const head = new LogReader(db).head();
      const { read: events, damaged } = readEvents(db);
      return { events, head: head === 0 ? undefined : positionFromNumber(head), damaged };
    },
    openLogForReading,
  );
}

interface StoredJob {
  readonly content_available: boolean;
  readonly content_hash: string;
  readonly listed_as: string;
}

export function outsideDocuments(folder: string, view: { readonly name: string }): OutsideDocument[] {
  return withDatabase(folder, (db) => {
    const registry = new ViewRegistry(db);
    if (!registry.find(view.name)) return [];
    const isInside = db.prepare('SELECT 1 FROM contents WHERE job_id = ?');
    const found: OutsideDocument[] = [];
    for (const { id: jobId, document } of new DocumentForm(db).documents(registry.tableOf(view))) {
      const job = document as StoredJob;
      if (job.content_available && !isInside.get(jobId))
        found.push({ jobId, hash: job.content_hash, listedAs: job.listed_as });
    }
    return found;
  });
}

export function isPurged(dataDir: string, view: { readonly name: string }, jobId: string): boolean {
  return withDatabase(dataDir, (db) => {
    const table = new ViewRegistry(db).tableOf(view);
    // Older releases stored ids as text.
    const reader = new DocumentForm(db).reader(table);
    const select = db.prepare(`SELECT ${reader.columns} FROM ${table} WHERE id IN (?, ?)`).raw();
    const row = select.get(jobId, compactId(jobId)) as DocumentRow | undefined;
    return row !== undefined && !(reader.decode(row) as StoredJob).content_available;
  });
}
