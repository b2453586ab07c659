import Database from 'better-sqlite3';
import {
  databaseFile,
  openForReading,
  prepareForWriting,
} from '../../src/event-sourcing/embedded/connection.js';
import { given, report } from '../programs/program.js';

export interface FloorParameters {
  /** Holds events and their read models. */
  readonly dataDir: string;
  /** Folder for a copy of the read models. */
  readonly copyDir: string;
}

export interface FloorReport {
  readonly ms: number;
  readonly cpuSeconds: number;
}

interface View {
  readonly table: string;
  readonly indexes: readonly string[];
  readonly rows: readonly unknown[][];
}

/** The least work of any rebuild: read each event, parse it, insert the rows of the read models, index them. */
const { dataDir, copyDir } = given<FloorParameters>();
const source = openForReading(dataDir);
const views = viewsIn(source);
const copy = prepareForWriting(new Database(databaseFile(copyDir)));
const before = process.cpuUsage();
const start = performance.now();
readEvents();
for (const view of views) copyView(view);
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(before);
report<FloorReport>({ ms, cpuSeconds: (user + system) / 1e6 });

function viewsIn(db: Database.Database): readonly View[] {
  const texts = (where: string) =>
    db.prepare(`SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND ${where}`).pluck().all() as string[];
  const names = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'view_*'`);
  return (names.pluck().all() as string[]).map((name) => ({
    table: texts(`type = 'table' AND name = '${name}'`)[0]!,
    indexes: texts(`type = 'index' AND tbl_name = '${name}'`),
    rows: db.prepare(`SELECT * FROM ${name} ORDER BY birth`).raw().all() as unknown[][],
  }));
}

function readEvents(): void {
  const events = source
    .prepare(
      `SELECT position, streams.name, revision, type, events.id, data, metadata
       FROM events JOIN streams ON streams.id = events.stream ORDER BY position`,
    )
    .raw();
  let last = '';
  for (const row of events.iterate() as Iterable<readonly string[]>) {
    const [data, metadata] = row.slice(-2) as [string, string];
    JSON.parse(data);
    // Events of one append share their metadata.
    if (metadata !== last) JSON.parse(metadata);
    last = metadata;
  }
}

function copyView({ table, indexes, rows }: View): void {
  copy.exec(table);
  const [first] = rows;
  if (first) {
    const name = /^CREATE TABLE (\S+)/.exec(table)![1]!;
    const insert = copy.prepare(`INSERT INTO ${name} VALUES (${first.map(() => '?').join(', ')})`);
    copy.transaction(() => rows.forEach((row) => insert.run(row)))();
  }
  for (const index of indexes) copy.exec(index);
}
