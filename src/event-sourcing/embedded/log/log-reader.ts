import type { Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { StoredText, TextPage } from '../../ports/stored-texts.port.js';
import { positionFromNumber } from '../../write/event-codec.js';
import type { Connection } from '../connection.js';
import { ArchiveFiles } from './archive-files.js';
import { rowFrom, type EventColumns, isNamed } from './log-schema.js';
import { packChecksum, rowsOf } from './pack.js';
import { CorruptEventError, UnavailableError } from '../../../kernel/errors.js';

/** Unpacked streams cached for reads in order, in which the events of jobs alternate. */
const CACHED_PACKS = 1_000;

interface PackColumns {
  readonly id: number;
  readonly stream: unknown;
  readonly first: number;
  readonly checksum: number;
  readonly bytes: Uint8Array;
}

export interface EventAt {
  readonly position: number;
  /** @throws CorruptEventError */
  readonly row: () => StoredText;
  readonly isUnchecked: boolean;
}

/** Rows in order, with the packs not in memory. */
interface Page {
  readonly found: readonly EventColumns[];
  readonly packs: ReadonlyMap<number, PackColumns>;
}

export class LogReader {
  private readonly unpacked = new LRUCache<number, ReadonlyMap<number, StoredText>>({ max: CACHED_PACKS });
  private readonly statements: Readonly<Record<keyof typeof SQL, Statement>>;
  private readonly archive: ArchiveFiles;
  private readonly page: (after: number, max: number) => Page;
  private readonly wantedPage: (after: number, max: number, unwanted: string) => Page & { end: number };

  constructor(db: Connection) {
    this.archive = new ArchiveFiles(db);
    this.statements = {
      stream: db.prepare(SQL.stream).raw(),
      page: db.prepare(SQL.page).raw(),
      wanted: db.prepare(SQL.wanted).raw(),
      head: db.prepare(SQL.head).pluck(),
      count: db.prepare(SQL.count).pluck(),
      newest: db.prepare(SQL.newest).pluck(),
      packs: db.prepare(SQL.packs),
      pack: db.prepare(SQL.pack),
    };
    // One snapshot: a pack may be made between two statements.
    const { page, wanted } = this.statements;
    this.page = db.transaction((after: number, max: number) => this.withPacks(page.all({ after, max })));
    this.wantedPage = db.transaction((after: number, max: number, unwanted: string) => {
      const read = this.withPacks(wanted.all({ after, max, unwanted }));
      return { ...read, end: read.found.length < max ? this.head() : read.found.at(-1)![0] };
    });
  }

  /** @throws CorruptEventError also if an event is missing */
  load(name: string, from: number, max: number): StoredText[] {
    // Rows first: an event packed meanwhile is then found twice instead of never.
    const rows = (this.statements.stream.all({ name, from, max }) as EventColumns[]).map(rowFrom);
    const next = rows[0]?.revision ?? Infinity;
    const packed = next > from ? this.packedRows(name, from).filter(({ revision }) => revision < next) : [];
    const found = [...packed, ...rows].slice(0, max);
    refuseGaps(found, from);
    return found;
  }

  /** Exclusive of `position`. @throws CorruptEventError */
  after(position: number, max: number): StoredText[] {
    const { found, packs } = this.page(position, max);
    return found.map((columns) => this.rowOf(columns, packs));
  }

  /** As `after`, but an unreadable event throws on its own. */
  eventsAfter(position: number, max: number): readonly EventAt[] {
    const { found, packs } = this.page(position, max);
    return found.map((columns) => ({
      position: columns[0],
      row: () => this.rowOf(columns, packs),
      isUnchecked: columns[7] === null && columns[8] === null,
    }));
  }

  /** As `StoredTexts.after`. Packed events are not passed over. */
  wantedAfter(position: number, max: number, unwanted: readonly string[]): TextPage {
    const { found, packs, end } = this.wantedPage(position, max, JSON.stringify(unwanted));
    const texts: StoredText[] = [];
    const damaged: CorruptEventError[] = [];
    for (const columns of found)
      try {
        texts.push(this.rowOf(columns, packs));
      } catch (error) {
        if (!(error instanceof CorruptEventError)) throw error;
        damaged.push(error);
      }
    return { texts, damaged, end: end > 0 ? positionFromNumber(end) : undefined, isLast: found.length < max };
  }

  head(): number {
    return (this.statements.head.get() as number | null) ?? 0;
  }

  count(): number {
    return this.statements.count.get() as number;
  }

  /** Data of the newest event. Streams of these types are never packed. */
  newestOf(types: readonly string[]): string | undefined {
    return this.statements.newest.get({ types: JSON.stringify(types) }) as string | undefined;
  }

  private packedRows(name: string, from: number): StoredText[] {
    const packs = this.statements.packs.all({ name, from }) as Omit<PackColumns, 'stream'>[];
    const rows = packs.flatMap((pack) => this.unpack({ ...pack, stream: name }));
    return rows.filter(({ revision }) => revision >= from);
  }

  private withPacks(rows: unknown[]): Page {
    const found = rows as EventColumns[];
    const packs = new Map<number, PackColumns>();
    for (const columns of found) {
      const [position, pack] = [columns[0], columns[8]];
      if (pack === null || packs.has(pack) || this.unpacked.get(pack)?.has(position)) continue;
      const stored = this.statements.pack.get(pack) as PackColumns | undefined;
      if (stored) packs.set(pack, stored);
    }
    return { found, packs };
  }

  private rowOf(columns: EventColumns, packs: Page['packs']): StoredText {
    const pack = columns[8];
    return pack === null ? rowFrom(columns) : this.packedRow(columns[0], pack, packs.get(pack));
  }

  private packedRow(position: number, pack: number, columns: PackColumns | undefined): StoredText {
    const cached = this.unpacked.get(pack)?.get(position);
    if (cached) return cached;
    if (!columns) throw new CorruptEventError(`of pack ${pack}`, 0, positionFromNumber(position));
    const rows = new Map(this.unpack(columns).map((row) => [Number(row.position), row]));
    this.unpacked.set(pack, rows);
    const row = rows.get(position);
    if (!row)
      throw new CorruptEventError(String(columns.stream), columns.first, positionFromNumber(position));
    return row;
  }

  /** @throws CorruptEventError also if the archive lacks the pack */
  private unpack({ id, stream, first, checksum, bytes }: PackColumns): StoredText[] {
    const range = { stream: String(stream), first, position: id };
    try {
      const pack = this.archive.resolve(bytes);
      if (packChecksum(pack, range) === checksum) return rowsOf(pack, range);
    } catch (error) {
      if (error instanceof UnavailableError) throw error;
      // The pack is damaged or missing.
    }
    throw new CorruptEventError(range.stream, first, positionFromNumber(id));
  }
}

/** A damaged index hides rows. @throws CorruptEventError for the first missing event */
function refuseGaps(rows: readonly StoredText[], from: number): void {
  const at = rows.findIndex(({ revision }, n) => revision !== from + n);
  if (at >= 0) throw new CorruptEventError(rows[at]!.stream, from + at, rows[at]!.position);
}

const STREAM_NUMBER = `(SELECT id FROM streams WHERE ${isNamed('$name')})`;

// SQLite merges both parts in index order.
const pageOf = (condition: string) => `
    SELECT position, streams.name, revision, type, events.id, data, metadata, checksum, NULL
    FROM events LEFT JOIN streams ON streams.id = events.stream WHERE position > $after ${condition}
    UNION ALL
    SELECT position, NULL, NULL, NULL, NULL, NULL, NULL, NULL, pack FROM packed WHERE position > $after
    ORDER BY position LIMIT $max`;

const SQL = {
  stream: `
    SELECT position, $name, revision, type, id, data, metadata, checksum, NULL
    FROM events WHERE stream = ${STREAM_NUMBER} AND revision >= $from ORDER BY revision LIMIT $max`,
  page: pageOf(''),
  // A row without a name is damaged, and shown.
  wanted: pageOf(`AND (substr(streams.name, 1, instr(streams.name, '-') - 1)
      IN (SELECT value FROM json_each($unwanted))) IS NOT TRUE`),
  head: 'SELECT max(n) FROM (SELECT max(position) AS n FROM events UNION ALL SELECT max(position) FROM packed)',
  count: 'SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM packed)',
  newest: `
    SELECT data FROM events WHERE type IN (SELECT value FROM json_each($types)) ORDER BY position DESC LIMIT 1`,
  packs: `
    SELECT id, first, checksum, bytes FROM packs WHERE stream = ${STREAM_NUMBER} AND last >= $from ORDER BY id`,
  pack: `
    SELECT packs.id, streams.name AS stream, first, checksum, bytes
    FROM packs LEFT JOIN streams ON streams.id = packs.stream WHERE packs.id = ?`,
} as const;
