import { hasDatabase } from './stored-state.js';
import { openForReading } from './connection.js';

/** Data of the newest event of these types; undefined if there is none. The folder may be in use. */
export function newestEvent<D>(dataDir: string, types: readonly string[]): D | undefined {
  if (!hasDatabase(dataDir)) return undefined;
  const db = openForReading(dataDir);
  try {
    const places = types.map(() => '?').join(', ');
    const newest = `SELECT data FROM events WHERE type IN (${places}) ORDER BY position DESC LIMIT 1`;
    const data = db
      .prepare(newest)
      .pluck()
      .get(...types) as string | undefined;
    return data === undefined ? undefined : (JSON.parse(data) as D);
  } finally {
    db.close();
  }
}
