import type { Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { positionFromNumber, type StoredRow } from '../../../event-sourcing/write/event-codec.js';
import { CorruptEventError } from '../../../ports/event-store.port.js';
import type { Connection } from '../connection.js';
import { compactStream } from './compact-text.js';
import { nameOf, rowFrom, type EventColumns } from './event-rows.js';
import { tablesOf } from './log-schema.js';
import { packChecksum, rowsOf } from './pack.js';

/** Unpacked streams kept for reads in order, in which the events of jobs alternate. */
const KEPT_PACKS = 1_000;

interface PackColumns {
  readonly id: number;
  readonly stream: unknown;
  readonly first: number;
  readonly checksum: number;
  readonly bytes: Uint8Array;
}

/** An event and its place, read when it is asked for. */
export interface PlacedEvent {
  readonly position: number;
  /** @throws CorruptEventError */
  readonly row: () => StoredRow;
  /** True if the row has no checksum. */
  readonly isUnchecked: boolean;
}

/** Reads the log: rows, packs, and rows of older releases that the writer has not moved yet, all as one. */
export class LogReader {
  private readonly unpacked = new LRUCache<number, ReadonlyMap<number, StoredRow>>({ max: KEPT_PACKS });
  private readonly statements: Readonly<
    Record<'stream' | 'after' | 'head' | 'count' | 'newest' | 'packs' | 'pack', Statement>
  >;
  private readonly page: (after: number, max: number) => PlacedEvent[];

  /** @param db also of an older release, whose tables are read as they are */
  constructor(db: Connection) {
    const sql = sqlFor(db);
    this.statements = {
      stream: db.prepare(sql.stream).raw(),
      after: db.prepare(sql.after).raw(),
      head: db.prepare(sql.head).pluck(),
      count: db.prepare(sql.count).pluck(),
      newest: db.prepare(sql.newest).pluck(),
      packs: db.prepare(sql.packs),
      pack: db.prepare(sql.pack),
    };
    // One snapshot: a pack may be made between the two statements.
    this.page = db.transaction((after: number, max: number) => this.placesAfter(after, max));
  }

  /** Events of a stream in revision order. @throws CorruptEventError also if one is missing */
  load(stream: string, from: number, max: number): StoredRow[] {
    const name = compactStream(stream);
    // Rows first: events that are packed meanwhile are found twice, never not at all.
    const rows = (this.statements.stream.all({ name, stream, from, max }) as EventColumns[]).map(rowFrom);
    const next = rows[0]?.revision ?? Infinity;
    const packed =
      next > from ? this.packedRows(stream, name, from).filter(({ revision }) => revision < next) : [];
    const found = [...packed, ...rows].slice(0, max);
    refuseGaps(found, from);
    return found;
  }

  /** At most `max` events after a position, in order. @throws CorruptEventError */
  after(position: number, max: number): StoredRow[] {
    return this.page(position, max).map(({ row }) => row());
  }

  /** As `after`; an event that cannot be read is an error of its own. */
  placed(position: number, max: number): readonly PlacedEvent[] {
    return this.page(position, max);
  }

  /** Position of the newest event; 0 while there is none. */
  head(): number {
    return (this.statements.head.get() as number | null) ?? 0;
  }

  count(): number {
    return this.statements.count.get() as number;
  }

  /** Data of the newest event of these types, whose streams are never packed. */
  newestOf(types: readonly string[]): string | undefined {
    return this.statements.newest.get({ types: JSON.stringify(types) }) as string | undefined;
  }

  private packedRows(stream: string, name: unknown, from: number): StoredRow[] {
    const packs = this.statements.packs.all({ name, from }) as Omit<PackColumns, 'stream'>[];
    return packs.flatMap((pack) => unpack({ ...pack, stream })).filter(({ revision }) => revision >= from);
  }

  private placesAfter(after: number, max: number): PlacedEvent[] {
    const found = this.statements.after.all({ after, max }) as EventColumns[];
    const packs = new Map<number, PackColumns>();
    return found.map((columns) => {
      const [position] = columns;
      const [checksum, pack] = [columns[7], columns[8]];
      if (pack === null) return { position, row: () => rowFrom(columns), isUnchecked: checksum === null };
      if (!packs.has(pack) && !this.unpacked.get(pack)?.has(position)) this.fetch(pack, packs);
      return { position, row: () => this.packedRow(position, pack, packs.get(pack)), isUnchecked: false };
    });
  }

  private fetch(pack: number, packs: Map<number, PackColumns>): void {
    const columns = this.statements.pack.get(pack) as PackColumns | undefined;
    if (columns) packs.set(pack, columns);
  }

  private packedRow(position: number, pack: number, columns: PackColumns | undefined): StoredRow {
    const known = this.unpacked.get(pack)?.get(position);
    if (known) return known;
    if (!columns) throw new CorruptEventError(`of pack ${pack}`, 0, positionFromNumber(position));
    const rows = new Map(unpack(columns).map((row) => [Number(row.position), row]));
    this.unpacked.set(pack, rows);
    const row = rows.get(position);
    if (!row)
      throw new CorruptEventError(nameOf(columns.stream), columns.first, positionFromNumber(position));
    return row;
  }
}

/** @throws CorruptEventError */
function unpack({ id, stream, first, checksum, bytes }: PackColumns): StoredRow[] {
  const range = { stream: nameOf(stream), first, position: id };
  try {
    if (packChecksum(bytes, range) === checksum) return rowsOf(bytes, range);
  } catch {
    // The pack is damaged.
  }
  throw new CorruptEventError(range.stream, first, positionFromNumber(id));
}

/** A damaged index hides rows. @throws CorruptEventError for the first missing event */
function refuseGaps(rows: readonly StoredRow[], from: number): void {
  const at = rows.findIndex(({ revision }, n) => revision !== from + n);
  if (at >= 0) throw new CorruptEventError(rows[at]!.stream, from + at, rows[at]!.position);
}

const TEXTS = 'type, id, data, metadata';

/** Each part of the log adds its own select. */
function sqlFor(db: Connection) {
  const { isCompact, old } = tablesOf(db);
  const oldColumns = `position, stream, revision, ${TEXTS}, ${old?.hasChecksums ? 'checksum' : 'NULL AS checksum'}`;
  const some = (...parts: (string | false | undefined)[]) => parts.filter(Boolean).join(' UNION ALL ');
  // Not around a subquery, which SQLite would sort as a whole for every page.
  const merged = (order: string, ...parts: (string | false | undefined)[]) =>
    `${some(...parts)} ORDER BY ${order} LIMIT $max`;
  const from = 'AND revision >= $from';
  const id = '(SELECT id FROM streams WHERE name = $name)';
  const maxima = (what: string, tables: (string | false | undefined)[]) =>
    some(...tables.map((table) => table && `SELECT ${what} AS n FROM ${table}`));
  const tables = [isCompact && 'events', isCompact && 'packed', old?.table];
  const rows = [...(isCompact ? ['events'] : []), ...(old ? [old.table] : [])];
  const ofTypes = 'type IN (SELECT value FROM json_each($types))';
  return {
    stream: merged(
      'revision',
      isCompact &&
        `SELECT position, $stream AS stream, revision, ${TEXTS}, checksum, NULL AS pack
         FROM events WHERE stream = ${id} ${from}`,
      old && `SELECT ${oldColumns}, NULL AS pack FROM ${old.table} WHERE stream = $stream ${from}`,
    ),
    after: merged(
      'position',
      isCompact &&
        `SELECT position, streams.name AS stream, revision, type, events.id, data, metadata, checksum, NULL AS pack
         FROM events LEFT JOIN streams ON streams.id = events.stream WHERE position > $after`,
      isCompact &&
        `SELECT position, NULL, NULL, NULL, NULL, NULL, NULL, NULL, pack FROM packed WHERE position > $after`,
      old && `SELECT ${oldColumns}, NULL AS pack FROM ${old.table} WHERE position > $after`,
    ),
    head: `SELECT max(n) FROM (${maxima('max(position)', tables)})`,
    count: `SELECT sum(n) FROM (${maxima('count(*)', tables)})`,
    newest: `SELECT data FROM (${some(...rows.map((table) => `SELECT position, data FROM ${table} WHERE ${ofTypes}`))})
      ORDER BY position DESC LIMIT 1`,
    packs: isCompact
      ? `SELECT id, first, checksum, bytes FROM packs WHERE stream = ${id} AND last >= $from ORDER BY id`
      : 'SELECT 1 WHERE $name IS NULL AND $from < 0',
    pack: isCompact
      ? `SELECT packs.id, streams.name AS stream, first, checksum, bytes
         FROM packs LEFT JOIN streams ON streams.id = packs.stream WHERE packs.id = ?`
      : 'SELECT 1 WHERE ? IS NULL',
  };
}
