import type { Statement } from 'better-sqlite3';
import { CorruptEventError } from '../../../kernel/errors.js';
import { categoryOf } from '../../../kernel/ids.js';
import type { StoredText } from '../../ports/stored-texts.port.js';
import type { PackingRule } from '../../ports/stores.js';
import type { Connection } from '../connection.js';
import { ArchiveFiles } from './archive-files.js';
import { LogReader } from './log-reader.js';
import { ARCHIVED_VERSION, readSchemaVersion } from './log-schema.js';
import { canPack, packChecksum, packOf } from './pack.js';

const STEP_MS = 10;
/** Larger packs are not extended, which would rewrite a long stream again and again. */
const FULL_PACK = 64;
const CURSOR = 'packing';

/** A packed stream takes a fifth. A crash leaves each stream as it was or packed. */
export class Packing {
  private readonly statements: Readonly<Record<keyof typeof SQL, Statement>>;
  private readonly reader: LogReader;
  private readonly archive: ArchiveFiles;

  constructor(private readonly db: Connection) {
    const prepared = Object.entries(SQL).map(([name, text]) => [name, db.prepare(text)] as const);
    this.statements = Object.fromEntries(prepared) as Record<keyof typeof SQL, Statement>;
    this.reader = new LogReader(db);
    this.archive = new ArchiveFiles(db);
  }

  /** Yields after each transaction. @throws CorruptEventError at the end for a damaged stream, which stays */
  *run(rule: PackingRule): Generator<void, number> {
    const done: Done = { packed: 0, damage: undefined };
    while (this.inStep(() => this.packNext(rule, done))) yield;
    if (done.damage) throw done.damage;
    return done.packed;
  }

  private inStep(work: () => boolean): boolean {
    const end = performance.now() + STEP_MS;
    try {
      return this.db.transaction(() => {
        let isMore = true;
        while (isMore && performance.now() < end) isMore = work();
        this.archive.flush();
        return isMore;
      })();
    } finally {
      this.archive.discard();
    }
  }

  /** Moves along the log; packs a stream at its last row. */
  private packNext(rule: PackingRule, done: Done): boolean {
    const { before, categories } = rule;
    const { cursor, next, setCursor } = this.statements;
    const after = Number((cursor.get(CURSOR) as { position: string } | undefined)?.position ?? 0);
    const row = next.get(after) as NextRow | undefined;
    if (!row || (row.at !== null && row.at > before)) return false;
    if (row.isLast && categories.includes(categoryOf(row.name))) this.tryToPack(row, rule, done);
    setCursor.run(CURSOR, String(row.position));
    return true;
  }

  /** A damaged stream is passed over: the others would otherwise stay unpacked, too. */
  private tryToPack(row: NextRow, rule: PackingRule, done: Done): void {
    try {
      if (this.pack(row, rule)) done.packed++;
    } catch (error) {
      if (!(error instanceof CorruptEventError)) throw error;
      done.damage ??= error;
    }
  }

  /** Reads the stream before it changes anything. @throws CorruptEventError */
  private pack({ stream: number, name: stream, revision, type, at }: NextRow, rule: PackingRule): boolean {
    const { lastPack, addPack, addPacked, dropPack, dropRows } = this.statements;
    const last = lastPack.get(number) as { id: number; first: number; last: number } | undefined;
    const isOpen = last !== undefined && last.last - last.first + 1 < FULL_PACK;
    const first = isOpen ? last.first : (last?.last ?? -1) + 1;
    const rows = this.reader.load(stream, first, Number.MAX_SAFE_INTEGER);
    if (rows.length === 0 || !canPack(rows)) return false;
    const position = Number(rows[0]!.position);
    const bytes = packOf(rows);
    const checksum = packChecksum(bytes, { stream, first, position });
    if (isOpen) dropPack.run(last.id);
    const isOver = rule.over?.includes(type) && !this.db.memory;
    const stored = isOver ? this.archived(at!, bytes) : bytes;
    addPack.run(position, number, first, revision, checksum, stored);
    for (const row of unpacked(rows, last?.last)) addPacked.run(Number(row.position), position);
    dropRows.run(number);
    return true;
  }

  /** Releases that do not know these files refuse the folder from now on. */
  private archived(at: string, pack: Uint8Array): Buffer {
    if (readSchemaVersion(this.db) < ARCHIVED_VERSION) this.db.pragma(`user_version = ${ARCHIVED_VERSION}`);
    return this.archive.add(at.slice(0, 'YYYY-MM'.length), pack);
  }
}

function unpacked(rows: readonly StoredText[], packed = -1): readonly StoredText[] {
  return rows.filter(({ revision }) => revision > packed);
}

interface Done {
  packed: number;
  /** The first that was met. */
  damage: CorruptEventError | undefined;
}

interface NextRow {
  readonly position: number;
  readonly stream: number;
  readonly revision: number;
  readonly name: string;
  readonly type: string;
  /** Null if it is damaged. */
  readonly at: string | null;
  /** 1 if its stream has no later row. */
  readonly isLast: number;
}

const SQL = {
  cursor: 'SELECT position FROM checkpoints WHERE name = ?',
  setCursor: 'INSERT OR REPLACE INTO checkpoints (name, position) VALUES (?, ?)',
  next: `
    SELECT position, stream, revision, streams.name AS name, type,
      CASE WHEN json_valid(metadata) THEN metadata ->> 'at' END AS at,
      revision = (SELECT max(revision) FROM events AS same WHERE same.stream = events.stream) AS isLast
    FROM events LEFT JOIN streams ON streams.id = events.stream
    WHERE position > ? ORDER BY position LIMIT 1`,
  lastPack: 'SELECT id, first, last FROM packs WHERE stream = ? ORDER BY id DESC LIMIT 1',
  addPack: 'INSERT INTO packs (id, stream, first, last, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  addPacked: 'INSERT INTO packed (position, pack) VALUES (?, ?)',
  dropPack: 'DELETE FROM packs WHERE id = ?',
  dropRows: 'DELETE FROM events WHERE stream = ?',
} as const;
