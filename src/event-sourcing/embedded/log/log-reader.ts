import type { Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { Recent } from '../../../kernel/recent.js';
import { positionFromNumber, type StoredRow } from '../../write/event-codec.js';
import type { Connection } from '../connection.js';
import { compactStream } from './compact-text.js';
import { nameOf, rowFrom, type EventColumns } from './event-rows.js';
import { sqlFor } from './log-sql.js';
import { phrased, phrasedFrom } from './phrases.js';
import { packChecksum, rowsOf } from './pack.js';
import { CorruptEventError } from '../../../kernel/errors.js';

/** Names of streams by number, kept for reads in order. */
const KEPT_NAMES = 5_000;
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

/** Rows in order, and the packs that hold those of them which are not in memory. */
interface Page {
  readonly found: readonly EventColumns[];
  readonly packs: ReadonlyMap<number, PackColumns>;
}

/** Reads the log: rows, packs, and rows of older releases that the writer has not moved yet, all as one. */
export class LogReader {
  private readonly unpacked = new LRUCache<number, ReadonlyMap<number, StoredRow>>({ max: KEPT_PACKS });
  private readonly names = new Recent<number, string>(KEPT_NAMES);
  private readonly statements: Readonly<Record<keyof ReturnType<typeof sqlFor>['one'], Statement>>;
  /** Rows after a position, of each table that holds rows. */
  private readonly tables: readonly Statement[];
  private readonly page: (after: number, max: number) => Page;

  /** @param db also of an older release, whose tables are read as they are */
  constructor(db: Connection) {
    const { one, rows } = sqlFor(db);
    this.statements = {
      stream: db.prepare(one.stream).raw(),
      packed: db.prepare(one.packed).raw(),
      head: db.prepare(one.head).pluck(),
      count: db.prepare(one.count).pluck(),
      newest: db.prepare(one.newest).pluck(),
      names: db.prepare(one.names).raw(),
      packs: db.prepare(one.packs),
      pack: db.prepare(one.pack),
    };
    this.tables = rows.map((text) => db.prepare(text).raw());
    // One snapshot: a pack may be made between two statements.
    this.page = db.transaction((after: number, max: number) => this.pageAfter(after, max));
  }

  /** Events of a stream in revision order. @throws CorruptEventError also if one is missing */
  load(stream: string, from: number, max: number): StoredRow[] {
    const name = compactStream(stream);
    // Rows first: events that are packed meanwhile are found twice, never not at all.
    const rows = (this.statements.stream.all({ name, stream, from, max }) as EventColumns[]).map((columns) =>
      rowFrom(columns),
    );
    const next = rows[0]?.revision ?? Infinity;
    const packed =
      next > from ? this.packedRows(stream, name, from).filter(({ revision }) => revision < next) : [];
    const found = [...packed, ...rows].slice(0, max);
    refuseGaps(found, from);
    return found;
  }

  /** At most `max` events after a position, in order. @throws CorruptEventError */
  after(position: number, max: number): StoredRow[] {
    const { found, packs } = this.page(position, max);
    return found.map((columns) => this.rowOf(columns, packs));
  }

  /** As `after`; an event that cannot be read is an error of its own. */
  placed(position: number, max: number): readonly PlacedEvent[] {
    const { found, packs } = this.page(position, max);
    return found.map((columns) => ({
      position: columns[0],
      row: () => this.rowOf(columns, packs),
      isUnchecked: columns[7] === null && columns[8] === null,
    }));
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
    const stored = JSON.stringify([...types, ...types.map(phrased)]);
    const data = this.statements.newest.get({ types: stored }) as string | undefined;
    return data && phrasedFrom(data);
  }

  private packedRows(stream: string, name: unknown, from: number): StoredRow[] {
    const packs = this.statements.packs.all({ name, from }) as Omit<PackColumns, 'stream'>[];
    return packs.flatMap((pack) => unpack({ ...pack, stream })).filter(({ revision }) => revision >= from);
  }

  /**
   * Reads the packed positions first, which are small, and then no rows behind the last of them: each page reads a row
   * once, in packed and unpacked parts of the log.
   */
  private pageAfter(after: number, max: number): Page {
    const places = this.statements.packed.all({ after, max }) as EventColumns[];
    const upTo = places[max - 1]?.[0] ?? Number.MAX_SAFE_INTEGER;
    const rows = this.tables.flatMap((table) => table.all({ after, upTo, max }) as EventColumns[]);
    const parts = places.length > 0 || this.tables.length > 1;
    const found = parts ? [...places, ...rows].sort(([a], [b]) => a - b).slice(0, max) : rows;
    this.learnNames(found);
    return { found, packs: this.packsOf(found) };
  }

  private packsOf(found: readonly EventColumns[]): Page['packs'] {
    const packs = new Map<number, PackColumns>();
    for (const columns of found) {
      const [position, pack] = [columns[0], columns[8]];
      if (pack === null || packs.has(pack) || this.unpacked.get(pack)?.has(position)) continue;
      const stored = this.statements.pack.get(pack) as PackColumns | undefined;
      if (stored) packs.set(pack, stored);
    }
    return packs;
  }

  /** Looks up the names of all streams of a page at once. */
  private learnNames(found: readonly EventColumns[]): void {
    const unknown = new Set<number>();
    for (const [, stream] of found)
      if (typeof stream === 'number' && this.names.get(stream) === undefined) unknown.add(stream);
    if (unknown.size > 0) this.readNames([...unknown]);
  }

  private readNames(numbers: readonly number[]): void {
    const names = this.statements.names.all({ numbers: JSON.stringify(numbers) });
    for (const [number, name] of names as [number, unknown][]) this.names.set(number, nameOf(name));
  }

  /** Name of a stream by its number; undefined if it is damaged. */
  private nameBy(number: number): string | undefined {
    if (this.names.get(number) === undefined) this.readNames([number]);
    return this.names.get(number);
  }

  private rowOf(columns: EventColumns, packs: Page['packs']): StoredRow {
    const pack = columns[8];
    if (pack !== null) return this.packedRow(columns[0], pack, packs.get(pack));
    const stream = columns[1];
    return rowFrom(columns, typeof stream === 'number' ? this.nameBy(stream) : stream);
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
