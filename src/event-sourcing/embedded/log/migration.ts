import type { Database as Connection } from 'better-sqlite3';
import { EARLIER_FORMS } from './earlier-forms.js';
import { hasTable, isNamed, LOG, readSchemaVersion, SCHEMA_VERSION } from './log-schema.js';

const TEXTS = 'earlier_texts';
/** Events of schema versions 2 and 3 (earlier-forms.ts) during their move. */
const ROWS = 'earlier_rows';
const STREAMS = 'earlier_streams';
const ROWS_AT_ONCE = 2_000;

interface EarlierTables {
  readonly texts?: string;
  readonly rows?: string;
  readonly streams?: string;
  /** Current tables exist: a migration has begun, or none is needed. */
  readonly isBegun: boolean;
}

function earlierTables(db: Connection): EarlierTables {
  const find = (names: Record<string, string>) =>
    Object.fromEntries(Object.entries(names).filter(([, table]) => hasTable(db, table)));
  if (readSchemaVersion(db) >= SCHEMA_VERSION)
    return { ...find({ texts: TEXTS, rows: ROWS, streams: STREAMS }), isBegun: true };
  const isPacked = hasTable(db, 'streams');
  const packed = { texts: 'old_events', rows: 'events', streams: 'streams' };
  return { ...find(isPacked ? packed : { texts: 'events' }), isBegun: false };
}

/** Moves the events of an earlier release; a killed migration continues at the next start. */
export function prepareLog(db: Connection): void {
  if (readSchemaVersion(db) < SCHEMA_VERSION) {
    db.transaction(() => {
      renameEarlier(db);
      db.exec(LOG);
      db.pragma(`user_version = ${SCHEMA_VERSION}`);
    })();
  }
  migrate(db);
}

function renameEarlier(db: Connection): void {
  const { texts, rows, streams } = earlierTables(db);
  const moved = { [TEXTS]: texts, [ROWS]: rows, [STREAMS]: streams };
  for (const [name, table] of Object.entries(moved))
    if (table !== undefined) db.exec(`ALTER TABLE ${table} RENAME TO ${name}`);
}

/** Each transaction leaves every event in one table. Keeps checksums, so damage stays visible. */
function migrate(db: Connection): void {
  const { texts, rows, streams } = earlierTables(db);
  defineForms(db, rows);
  if (streams) repeat(db, () => moveStreams(db, streams));
  if (rows) repeat(db, () => moveRows(db, rows, 'stream'));
  if (texts) repeat(db, () => moveRows(db, texts, `(SELECT id FROM streams WHERE ${isNamed('stream')})`));
}

function repeat(db: Connection, step: () => boolean): void {
  while (db.transaction(step)());
}

/** Keeps the numbers of streams, which packs contain. */
function moveStreams(db: Connection, table: string): boolean {
  const { changes } = db
    .prepare(
      `INSERT INTO streams (id, name) SELECT id, earlier_stream(name) FROM ${table}
       WHERE id > (SELECT coalesce(max(id), 0) FROM streams) ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
    )
    .run();
  if (changes === 0) db.exec(`DROP TABLE ${table}`);
  return changes > 0;
}

/** @param number SQL for the number of a row's stream */
function moveRows(db: Connection, table: string, number: string): boolean {
  const last = db
    .prepare(
      `SELECT max(position) FROM (SELECT position FROM ${table} ORDER BY position LIMIT ${ROWS_AT_ONCE})`,
    )
    .pluck()
    .get();
  if (last === null) {
    db.exec(`DROP TABLE ${table}`);
    return false;
  }
  if (table === TEXTS)
    db.prepare(
      `INSERT INTO streams (name) SELECT stream FROM ${table} WHERE position <= ?
       AND NOT EXISTS (SELECT 1 FROM streams WHERE ${isNamed('stream')}) GROUP BY stream ORDER BY min(position)`,
    ).run(last);
  db.prepare(
    `INSERT INTO events (position, stream, revision, type, id, data, metadata, checksum)
     SELECT position, ${number}, revision, ${columnsOf(db, table)} FROM ${table} WHERE position <= ?`,
  ).run(last);
  db.prepare(`DELETE FROM ${table} WHERE position <= ?`).run(last);
  return true;
}

/** Releases before checksums had no such column. */
function columnsOf(db: Connection, table: string): string {
  const columns = db.pragma(`table_info(${table})`) as { name: string; type: string }[];
  const isText = columns.some(({ name, type }) => name === 'id' && type === 'TEXT');
  const checksum = columns.some(({ name }) => name === 'checksum') ? 'checksum' : 'NULL AS checksum';
  if (isText) return `type, id, data, metadata, ${checksum}`;
  return `earlier_text(type) AS type, earlier_id(id) AS id, earlier_text(data) AS data,
    earlier_metadata(metadata) AS metadata, ${checksum}`;
}

function defineForms(db: Connection, rows: string | undefined): void {
  if (rows === undefined) return;
  for (const [name, read] of Object.entries(EARLIER_FORMS)) db.function(name, { deterministic: true }, read);
}

/** Temporary views show an unmigrated log in the current form to reading connections. */
export function showAsToday(db: Connection): void {
  const { texts, rows, streams, isBegun } = earlierTables(db);
  if (!texts && !rows) return;
  defineForms(db, rows);
  const parts = [
    isBegun && 'SELECT position, stream, revision, type, id, data, metadata, checksum FROM main.events',
    rows && `SELECT position, stream, revision, ${columnsOf(db, rows)} FROM main.${rows}`,
    texts &&
      `SELECT position, named.id AS stream, revision, type, texts.id AS id, data, metadata, checksum
       FROM (SELECT position, stream, revision, ${columnsOf(db, texts)} FROM main.${texts}) AS texts
       JOIN temp.named ON named.name = texts.stream`,
  ].filter((part) => typeof part === 'string');
  const names = [
    isBegun && '(id, name) SELECT id, name FROM main.streams',
    streams && `(id, name) SELECT id, earlier_stream(name) FROM main.${streams}`,
    texts && `(name) SELECT DISTINCT stream FROM main.${texts}`,
  ].filter((part) => typeof part === 'string');
  db.exec(`
    CREATE TEMP TABLE named (id INTEGER PRIMARY KEY, name UNIQUE);
    ${names.map((part) => `INSERT OR IGNORE INTO temp.named ${part};`).join('')}
    CREATE TEMP VIEW streams AS SELECT id, name FROM temp.named;
    CREATE TEMP VIEW events AS ${parts.join(' UNION ALL ')};`);
  if (!hasTable(db, 'packs')) db.exec(NO_PACKS);
}

export function earlierEvents(db: Connection): number {
  const { texts, rows } = earlierTables(db);
  const counts = [texts, rows].map((table) => (table ? countIn(db, table) : 0));
  return counts.reduce((sum, count) => sum + count);
}

/** Considers the tables of all releases. */
export function hasEvents(db: Connection): boolean {
  const { texts, rows } = earlierTables(db);
  return [texts, rows, 'events', 'packed'].some(
    (table) => table && hasTable(db, table) && countIn(db, table) > 0,
  );
}

function countIn(db: Connection, table: string): number {
  return db.prepare(`SELECT count(*) FROM main.${table}`).pluck().get() as number;
}

const NO_PACKS = `
  CREATE TEMP TABLE packed (position INTEGER PRIMARY KEY, pack);
  CREATE TEMP TABLE packs (id INTEGER PRIMARY KEY, stream, first, last, checksum, bytes);`;
