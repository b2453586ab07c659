import type { Database as Connection } from 'better-sqlite3';

/** Events of releases before packing, until the writer has moved them. */
const OLD = 'old_events';

/**
 * `events`: one row an event, its stream by number. `packs`: consecutive events of a stream at rest in one compressed
 * row, numbered by the position of the first. `packed`: the pack of each position, so that reads in order find it.
 */
const LOG = `
  CREATE TABLE streams (id INTEGER PRIMARY KEY, name NOT NULL UNIQUE);
  CREATE TABLE events (
    position INTEGER PRIMARY KEY, stream INTEGER NOT NULL, revision INTEGER NOT NULL, type TEXT NOT NULL,
    id NOT NULL, data TEXT NOT NULL, metadata NOT NULL, checksum INTEGER,
    UNIQUE (stream, revision)
  );
  CREATE TABLE packs (
    id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    checksum INTEGER NOT NULL, bytes BLOB NOT NULL
  );
  CREATE INDEX packs_of_stream ON packs (stream);
  CREATE TABLE packed (position INTEGER PRIMARY KEY, pack INTEGER NOT NULL);`;

/** Makes the tables of the log beside those of an older release, which is instant on any store. */
export function makeLog(db: Connection): void {
  const { isCompact, old } = tablesOf(db);
  db.transaction(() => {
    if (!isCompact) {
      if (old) db.exec(`ALTER TABLE ${old.table} RENAME TO ${OLD}`);
      db.exec(LOG);
    } else if (old && db.prepare(`SELECT 1 FROM ${OLD} LIMIT 1`).get() === undefined) {
      db.exec(`DROP TABLE ${OLD}`);
    }
  })();
}

interface LogTables {
  /** False in a folder that no release with packs has opened yet. */
  readonly isCompact: boolean;
  /** Table with rows of older releases. */
  readonly old: { readonly table: string; readonly hasChecksums: boolean } | undefined;
}

export function tablesOf(db: Connection): LogTables {
  const named = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  const has = (name: string) => named.get(name) !== undefined;
  const isCompact = has('streams');
  const table = isCompact ? OLD : 'events';
  if (!has(table)) return { isCompact, old: undefined };
  const columns = db.pragma(`table_info(${table})`) as { name: string }[];
  return { isCompact, old: { table, hasChecksums: columns.some(({ name }) => name === 'checksum') } };
}
