import Database from 'better-sqlite3';
import { prepareForWriting } from '../connection.js';
import { LogReader } from './log-reader.js';

/** Statements that the reader prepares, by their plans. */
function plansOf(db: Database.Database): string[] {
  const prepared: string[] = [];
  const prepare = db.prepare.bind(db);
  const noted = Object.assign(db, {
    prepare: (sql: string) => {
      prepared.push(sql);
      return prepare(sql);
    },
  }) as unknown as Database.Database;
  expect(new LogReader(noted).count()).toBe(0);
  const given = { name: '', stream: '', from: 0, after: 0, upTo: 1, max: 1, types: '[]', numbers: '[]' };
  return prepared.map((sql) => {
    const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`).raw();
    const rows = (sql.includes('?') ? plan.all('x') : plan.all(given)) as [number, number, number, string][];
    return rows.map((row) => row[3]).join('; ');
  });
}

describe('reading the log', () => {
  it.each([
    ['a new folder', ''],
    [
      'a folder with rows of an older release',
      `CREATE TABLE old_events (position INTEGER PRIMARY KEY, id, stream, revision, type, data, metadata, checksum,
       UNIQUE (stream, revision)); INSERT INTO old_events (position) VALUES (1); DELETE FROM old_events`,
    ],
  ])('walks along indexes and sorts nothing, in %s', (_, sql) => {
    const db = prepareForWriting(new Database(':memory:'));
    if (sql) db.exec(sql);
    const plans = plansOf(db);
    expect(plans.filter((plan) => plan.includes('MERGE (UNION ALL)'))).toHaveLength(sql ? 1 : 0);
    const ordered = plans.filter((plan) => plan.includes('TEMP B-TREE'));
    // The newest event of a type is asked for once, at a start.
    expect(ordered.every((plan) => plan.includes('json_each'))).toBe(true);
  });
});
