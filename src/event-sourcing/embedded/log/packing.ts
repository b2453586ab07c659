import type { Statement } from 'better-sqlite3';
import { categoryOf } from '../../../kernel/ids.js';
import type { StoredRow } from '../../write/event-codec.js';
import type { PackingRule } from '../../ports/stores.js';
import type { Connection } from '../connection.js';
import { LogReader } from './log-reader.js';
import { canPack, packChecksum, packOf } from './pack.js';

const STEP_MS = 10;
/** Larger packs are not extended, which would rewrite a long stream again and again. */
const FULL_PACK = 64;
const CURSOR = 'packing';

/** A packed stream takes a fifth. A crash leaves each stream as it was or packed. */
export class Packing {
  private readonly statements: Readonly<Record<keyof typeof SQL, Statement>>;
  private readonly reader: LogReader;

  constructor(private readonly db: Connection) {
    const prepared = Object.entries(SQL).map(([name, text]) => [name, db.prepare(text)] as const);
    this.statements = Object.fromEntries(prepared) as Record<keyof typeof SQL, Statement>;
    this.reader = new LogReader(db);
  }

  /** Yields after each transaction. @throws CorruptEventError for a damaged row, which stays */
  *run(rule: PackingRule): Generator<void, number> {
    const done = { packed: 0 };
    while (this.inStep(() => this.packNext(rule, done))) yield;
    return done.packed;
  }

  private inStep(work: () => boolean): boolean {
    const end = performance.now() + STEP_MS;
    return this.db.transaction(() => {
      while (performance.now() < end) if (!work()) return false;
      return true;
    })();
  }

  /** Moves along the log; packs a stream at its last row. */
  private packNext({ before, categories }: PackingRule, done: { packed: number }): boolean {
    const { cursor, next, setCursor } = this.statements;
    const after = Number((cursor.get(CURSOR) as { position: string } | undefined)?.position ?? 0);
    const row = next.get(after) as NextRow | undefined;
    if (!row || row.at > before) return false;
    if (row.isLast && categories.includes(categoryOf(row.name)) && this.pack(row)) done.packed++;
    setCursor.run(CURSOR, String(row.position));
    return true;
  }

  private pack({ stream: number, name: stream, revision }: NextRow): boolean {
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
    addPack.run(position, number, first, revision, checksum, bytes);
    for (const row of unpacked(rows, last?.last)) addPacked.run(Number(row.position), position);
    dropRows.run(number);
    return true;
  }
}

function unpacked(rows: readonly StoredRow[], packed = -1): readonly StoredRow[] {
  return rows.filter(({ revision }) => revision > packed);
}

interface NextRow {
  readonly position: number;
  readonly stream: number;
  readonly revision: number;
  readonly name: string;
  readonly at: string;
  /** 1 if its stream has no later row. */
  readonly isLast: number;
}

const SQL = {
  cursor: 'SELECT position FROM checkpoints WHERE name = ?',
  setCursor: 'INSERT OR REPLACE INTO checkpoints (name, position) VALUES (?, ?)',
  next: `
    SELECT position, stream, revision, streams.name AS name, metadata ->> 'at' AS at,
      revision = (SELECT max(revision) FROM events AS same WHERE same.stream = events.stream) AS isLast
    FROM events LEFT JOIN streams ON streams.id = events.stream
    WHERE position > ? ORDER BY position LIMIT 1`,
  lastPack: 'SELECT id, first, last FROM packs WHERE stream = ? ORDER BY id DESC LIMIT 1',
  addPack: 'INSERT INTO packs (id, stream, first, last, checksum, bytes) VALUES (?, ?, ?, ?, ?, ?)',
  addPacked: 'INSERT INTO packed (position, pack) VALUES (?, ?)',
  dropPack: 'DELETE FROM packs WHERE id = ?',
  dropRows: 'DELETE FROM events WHERE stream = ?',
} as const;
