import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import { prepareForWriting } from '../connection.js';
import { LogReader } from './log-reader.js';
import { showAsToday } from './migration.js';

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
  expect(new LogReader(noted).count()).toBeGreaterThanOrEqual(0);
  const given = { name: '', from: 0, after: 0, max: 1, types: '[]', unwanted: '[]' };
  return prepared.map((sql) => {
    const plan = prepare(`EXPLAIN QUERY PLAN ${sql}`).raw();
    const rows = (sql.includes('?') ? plan.all('x') : plan.all(given)) as [number, number, number, string][];
    return rows.map((row) => row[3]).join('; ');
  });
}

describe('reading the log', () => {
  it.each([
    ['a new folder', () => prepareForWriting(new Database(':memory:'))],
    ['a folder of a release before packing', () => earlier('texts')],
    ['a folder of a release with phrases', () => earlier('packed')],
  ])('uses indexes and sorts nothing, in %s', (_, open) => {
    const plans = plansOf(open());
    const ordered = plans.filter((plan) => plan.includes('TEMP B-TREE'));
    // The newest event of a type is asked for once, at a start.
    expect(ordered.every((plan) => plan.includes('json_each'))).toBe(true);
    expect(plans.filter((plan) => plan.includes('MERGE (UNION ALL)'))).toHaveLength(2);
  });
});

function earlier(name: string): Database.Database {
  const db = new Database(':memory:');
  db.exec(readFileSync(`test/recordings/earlier-folders/${name}.sql`, 'utf8'));
  showAsToday(db);
  return db;
}
