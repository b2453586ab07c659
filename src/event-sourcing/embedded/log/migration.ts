import type { Database as Connection } from 'better-sqlite3';
import { hasTable, isNamed, LOG, readSchemaVersion, SCHEMA_VERSION } from './log-schema.js';
import { EARLIER_KINDS, EARLIER_PHRASES } from './pack-dictionary.js';

const TEXTS = 'earlier_texts';
/** Events of schema versions 2 and 3 during their move. */
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

/** Columns of schema versions 2 and 3, read once in a migration (docs/decisions/065-packed-streams.md). */

const KIND_BITS = 0b111;
/** Optional ids by their bit in the first byte of compact metadata, in stored order. */
const OPTIONAL = [
  ['requestId', 0b00_1000],
  ['causationId', 0b01_0000],
  ['accountId', 0b10_0000],
] as const;
const HEAD_BYTES = 8;
const UUID_BYTES = 16;
const UUID_LENGTH = 255;

/** White space of JSON is no code. */
const WHITE_SPACE = [9, 10, 13];
const LONG_FOLLOWS = String.fromCharCode(30);
const AS_IT_IS = String.fromCharCode(31);
const FIRST_OF_LONG = 48;

const controls = Array.from({ length: 31 }, (_, n) => n + 1).filter((code) => !WHITE_SPACE.includes(code));
const phrases = new Map([
  ...EARLIER_PHRASES.short.map((phrase, n) => [String.fromCharCode(controls[n]!), phrase] as const),
  ...EARLIER_PHRASES.long.map(
    (phrase, n) => [LONG_FOLLOWS + String.fromCharCode(FIRST_OF_LONG + n), phrase] as const,
  ),
]);
const ANY_CODE = new RegExp(`${LONG_FOLLOWS}.|[${String.fromCharCode(...controls)}]`, 'g');

/** @throws TypeError for an unknown code */
function textFrom(column: unknown): unknown {
  if (typeof column !== 'string') return column;
  if (column.startsWith(AS_IT_IS)) return column.slice(1);
  return column.replace(ANY_CODE, (code) => {
    const phrase = phrases.get(code);
    if (phrase === undefined) throw new TypeError('an unknown code');
    return phrase;
  });
}

function idFrom(column: unknown): unknown {
  return column instanceof Uint8Array ? uuidAt(bufferOf(column), 0) : column;
}

/** The category, 0 and the bytes of a UUID, or 1 and those of a hash. */
function streamFrom(column: unknown): unknown {
  if (!(column instanceof Uint8Array)) return column;
  const bytes = bufferOf(column);
  const end = bytes.indexOf('-') + 1;
  const category = bytes.toString('latin1', 0, end);
  return category + (bytes[end] === 1 ? bytes.toString('hex', end + 1) : uuidAt(bytes, end + 1));
}

/** A byte for actor kind and ids, schema version, six bytes of milliseconds, ids. @throws RangeError */
function metadataFrom(column: unknown): unknown {
  if (!(column instanceof Uint8Array)) return column;
  const bytes = bufferOf(column);
  const bits = bytes.readUInt8(0);
  const at = new Date(bytes.readUIntBE(2, 6)).toISOString();
  const next = idsFrom(bytes);
  const actor = `{"kind":"${EARLIER_KINDS[bits & KIND_BITS]}","id":"${next()}"}`;
  const correlation = `"correlationId":"${next()}"`;
  const [request, causation, account] = OPTIONAL.map(([name, bit]) =>
    bits & bit ? `,"${name}":"${next()}"` : '',
  );
  const version = bytes.readUInt8(1);
  return `{"actor":${actor},${correlation}${request}${causation},"at":"${at}","schemaVersion":${version}${account}}`;
}

/** Each id: its length, or 255 for the bytes of a UUID, then the id. */
function idsFrom(bytes: Buffer): () => string {
  let at = HEAD_BYTES;
  return () => {
    const length = bytes.readUInt8(at++);
    const start = at;
    at += length === UUID_LENGTH ? UUID_BYTES : length;
    if (at > bytes.length) throw new RangeError('metadata ends early');
    return length === UUID_LENGTH ? uuidAt(bytes, start) : bytes.toString('latin1', start, at);
  };
}

function uuidAt(bytes: Buffer, start: number): string {
  const hex = bytes.toString('hex', start, start + UUID_BYTES);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** SQL functions by name; an unreadable column is returned unchanged. */
export const EARLIER_FORMS: Readonly<Record<string, (column: unknown) => unknown>> = {
  earlier_text: readable(textFrom),
  earlier_id: readable(idFrom),
  earlier_stream: readable(streamFrom),
  earlier_metadata: readable(metadataFrom),
};

/** The checksum will not match a damaged column in the current form either. */
function readable(read: (column: unknown) => unknown) {
  return (column: unknown): unknown => {
    try {
      return read(column);
    } catch {
      return column;
    }
  };
}
