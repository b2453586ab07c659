import type { Connection } from './connection.js';

/** Raise it if older releases must not open the database. */
export const SCHEMA_VERSION = 1;

const KEY_CHECK = 'key_check';

/** 0 in stores of releases without a schema version. */
export function readSchemaVersion(db: Connection): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/** Check value of the last used master key; undefined in older stores. */
export function readKeyCheck(db: Connection): string | undefined {
  if (!hasTable(db, KEY_CHECK)) return undefined;
  return db.prepare(`SELECT value FROM ${KEY_CHECK}`).pluck().get() as string | undefined;
}

export function hasTable(db: Connection, name: string): boolean {
  const named = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?");
  return named.get(name) !== undefined;
}

/** Writes only changes. */
export function markStore(db: Connection, keyCheck: string | undefined): void {
  db.pragma('synchronous = FULL');
  if (readSchemaVersion(db) !== SCHEMA_VERSION) db.pragma(`user_version = ${SCHEMA_VERSION}`);
  if (keyCheck === undefined || readKeyCheck(db) === keyCheck) return;
  db.exec(
    `CREATE TABLE IF NOT EXISTS ${KEY_CHECK} (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)`,
  );
  db.prepare(`INSERT OR REPLACE INTO ${KEY_CHECK} (id, value) VALUES (1, ?)`).run(keyCheck);
}
