import Database from 'better-sqlite3';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareForWriting, type Connection } from '../connection.js';
import type { StoredText } from '../../ports/stored-texts.port.js';
import { LogReader } from './log-reader.js';
import { earlierEvents, hasEvents, showAsToday } from './migration.js';

const recording = (file: string) => readFileSync(join('test/recordings/earlier-folders', file), 'utf8');

/** The log of an earlier release, by the name of its recording. */
function stored(name: string): Connection {
  return new Database(':memory:').exec(recording(`${name}.sql`));
}

/** What the earlier release itself read. */
function expected(name: string): StoredText[] {
  const lines = recording(`${name}.jsonl`).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as StoredText);
}

function everythingIn(db: Connection, streams: readonly string[]) {
  const log = new LogReader(db);
  return {
    rows: log.after(0, 100),
    pages: [...Array(20).keys()].flatMap((n) => log.after(n, 1)).filter(unlessRepeated),
    streams: streams.map((stream) => log.load(stream, 0, 100)),
    count: log.count(),
    head: log.head(),
  };
}

const unlessRepeated = (row: StoredText, n: number, rows: readonly StoredText[]) =>
  row.position !== rows[n - 1]?.position;

describe.each([
  { name: 'texts', rows: 18 },
  { name: 'phrases', rows: 18 },
  { name: 'packed', rows: 3 },
])('the log of an earlier release: $name', ({ name, rows: earlier }) => {
  const events = expected(name);
  const streams = [...new Set(events.map(({ stream }) => stream))];
  const all = {
    rows: events,
    streams: streams.map((stream) => events.filter((event) => event.stream === stream)),
    count: events.length,
    head: Number(events.at(-1)!.position),
  };

  it('is readable before a migration', () => {
    const db = stored(name);
    expect([hasEvents(db), earlierEvents(db)]).toEqual([true, earlier]);
    showAsToday(db);
    expect(everythingIn(db, streams)).toMatchObject(all);
    expect(new LogReader(db).newestOf(['OperatorTokenIssued'])).toBe(events[0]!.data);
  });

  it('is migrated byte for byte', () => {
    const db = prepareForWriting(stored(name));
    expect(everythingIn(db, streams)).toMatchObject(all);
    expect([earlierEvents(db), db.pragma('user_version', { simple: true })]).toEqual([0, 4]);
    const left = db.prepare("SELECT name FROM sqlite_schema WHERE name GLOB '*earlier*'").all();
    expect(left).toEqual([]);
  });

  it('shows its unpacked events as JSON to any SQLite client', () => {
    const db = prepareForWriting(stored(name));
    const found = db.prepare('SELECT type, data FROM events ORDER BY rowid DESC LIMIT 3').raw().all();
    const unpacked = events.filter(({ position }) =>
      db.prepare('SELECT 1 FROM events WHERE position = ?').get(Number(position)),
    );
    const newest = unpacked.toReversed().slice(0, 3);
    expect(found).toEqual(newest.map(({ type, data }) => [type, data]));
  });
});

describe('migrating a damaged log', () => {
  it.each([
    ['texts', 1],
    ['phrases', 2],
  ])('preserves the damage of an event: %s', (name, position) => {
    const db = stored(name);
    db.prepare("UPDATE events SET data = X'00ff', metadata = X'ff' WHERE position = ?").run(position);
    const log = new LogReader(prepareForWriting(db));
    expect(log.count()).toBe(18);
    const { stream } = expected(name)[position - 1]!;
    expect(() => log.load(stream, 0, 10)).toThrow(`event 0 of stream ${stream}`);
    expect(log.after(position, 100)).toHaveLength(18 - position);
  });
});

describe('migrating a log whose events are in two forms', () => {
  it('moves both forms, and reads both before', () => {
    const db = stored('phrases');
    const events = expected('phrases');
    const last = events.at(-1)!;
    db.exec(`CREATE TABLE old_events (position INTEGER PRIMARY KEY, id TEXT NOT NULL, stream TEXT NOT NULL,
      revision INTEGER NOT NULL, type TEXT NOT NULL, data TEXT NOT NULL, metadata TEXT NOT NULL,
      UNIQUE (stream, revision))`);
    const { position, id, stream, revision, type, data, metadata } = last;
    const insert = db.prepare('INSERT INTO old_events VALUES (?, ?, ?, ?, ?, ?, ?)');
    insert.run(Number(position), id, stream, revision, type, data, metadata);
    db.prepare('DELETE FROM events WHERE position = ?').run(Number(position));
    const copy = new Database(db.serialize());
    showAsToday(copy);
    expect(new LogReader(copy).after(0, 100)).toEqual(events);
    expect(new LogReader(prepareForWriting(db)).after(0, 100)).toEqual(events);
  });
});
