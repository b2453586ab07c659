import Database from 'better-sqlite3';
import fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { positionFromNumber } from '../../src/event-sourcing/write/event-codec.js';
import type { Stores } from '../../src/event-sourcing/ports/stores.js';
import { LogReader } from '../../src/event-sourcing/embedded/log/log-reader.js';
import { asOlderRelease } from '../kit/stored-rows.js';
import { flipBit, flipIn } from '../kit/damage.js';
import { countOf } from '../kit/length.js';
import { inProcess } from '../kit/stores.js';
import { implementations, sampleModule, storesOf } from './implementations.js';
import { begin, closed, goOn, moved, written } from './sample-appends.js';

const fixture = storesOf(implementations.find(({ name }) => name === 'sqlite, writer in the process')!);
const database = () => join(fixture.folder, 'rps.db');
const FLIPS = countOf('FLIPS', { short: 40, long: 150, soak: 2_000 });

const open = (onFatal?: (error: Error) => void) =>
  openEmbeddedStores({
    dataDir: fixture.folder,
    clock: fixture.clock,
    threads: inProcess,
    projectionsUrl: sampleModule(fixture.folder),
    ...(onFatal && { onFatal }),
  });

const NOTES = ['note-1', 'note-2', 'note-3'];

async function write(): Promise<void> {
  for (const note of NOTES) await fixture.append(begin(note, written(`text of ${note}`)));
  for (const note of NOTES) await fixture.append(goOn(note, 0, moved('out'), closed()));
  await fixture.stores.close();
}

/** Opens the folder again for one test step. */
async function opened<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
  const stores = await open();
  return work(stores).finally(() => stores.close());
}

describe('reading an event with a flipped bit', () => {
  it('fails and names the event in every read', async () => {
    await write();
    flipIn(database(), 'text of note-2"}', 1);
    await opened(async ({ events, maintenance }) => {
      const damage = { stream: 'note-2', revision: 0, position: positionFromNumber(2) };

      await expect(events.load('note-2')).rejects.toMatchObject(damage);
      await expect(events.readAll({ max: 100 })).rejects.toMatchObject(damage);
      await expect(maintenance.rebuild('notes')).rejects.toThrow(/event 0 of stream note-2 at 0*2 /);
      await expect(maintenance.verify()).rejects.toThrow(/event 0 of stream note-2 at 0*2 /);
    });
  });

  it('leaves all other streams readable and writable, and the store not ready', async () => {
    await write();
    flipIn(database(), 'text of note-2"}', 1);
    await opened(async ({ events }) => {
      await events.check();
      await expect(events.load('note-2')).rejects.toThrow();

      expect(await events.load('note-1')).toHaveLength(3);
      await events.append(begin('note-9', written()));
      await expect(events.check()).rejects.toThrow('note-2');
    });
  });

  it('detects an event missing from its index', async () => {
    await write();
    const db = new Database(database());
    const stream = "(SELECT id FROM streams WHERE name = 'note-3')";
    db.prepare(`DELETE FROM events WHERE stream = ${stream} AND revision = 1`).run();
    db.close();

    await opened(async ({ events }) => {
      await expect(events.load('note-3')).rejects.toMatchObject({ stream: 'note-3', revision: 1 });
    });
  });

  it('refuses to open a database in which two indexes begin at one page', async () => {
    await write();
    const db = new Database(database()).unsafeMode();
    db.pragma('writable_schema = ON');
    db.exec(`UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'beats')
      WHERE name = 'sqlite_autoindex_events_1'`);
    db.close();

    await expect(open()).rejects.toThrow('two tables or indexes begin at page');
  });

  /** Lets the index of names miss a stream. */
  function hide(stream: string, also = '') {
    const db = new Database(database()).unsafeMode();
    const name = "name = 'streams_by_name'";
    const sql = db.prepare(`SELECT sql FROM sqlite_schema WHERE ${name}`).pluck().get() as string;
    db.exec(`DROP INDEX streams_by_name; ${sql} WHERE streams.name <> '${stream}'; ${also}`);
    db.pragma('writable_schema = ON');
    db.prepare(`UPDATE sqlite_schema SET sql = ? WHERE ${name}`).run(sql);
    db.close();
  }

  it('refuses to open a database whose index of names hides a stream', async () => {
    await write();
    hide('note-2');
    await expect(open()).rejects.toThrow('index streams_by_name');
  });

  it('refuses to open a database whose newest event is hidden', async () => {
    await write();
    const db = new Database(database());
    const page = db
      .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'events'")
      .pluck()
      .get() as number;
    db.close();
    const content = readFileSync(database());
    // Low byte of the number of rows in the only page of the table.
    content[(page - 1) * 4_096 + 4]! -= 1;
    writeFileSync(database(), content);
    await expect(open()).rejects.toThrow('in database main');
  });

  it('ends a service of many streams when the index is found to hide one', async () => {
    await write();
    hide('note-2', "INSERT INTO streams (id, name) VALUES (20001, 'note-20001')");
    const ended = new Promise<Error>((resolve) => {
      void open(resolve).then((stores) => stores.close());
    });
    expect((await ended).message).toContain('index streams_by_name');
  });

  it('never returns a different history, whichever bit is flipped', async () => {
    await write();
    const whole = readFileSync(database());
    const history = await opened(historyOf);
    let noticed = 0;
    const anyBit = fc.nat(whole.length * 8 - 1);
    await fc.assert(
      fc.asyncProperty(anyBit, async (bit) => {
        const damaged = Buffer.from(whole);
        flipBit(damaged, bit);
        writeFileSync(database(), damaged);
        const found = await opened(historyOf).catch(() => undefined);
        if (found === undefined) noticed++;
        else expect(found).toEqual(history);
      }),
      { numRuns: FLIPS },
    );
    expect(noticed).toBeGreaterThan(0);
  });
});

describe('opening a folder of a release without checksums', () => {
  it('reads its events, and adds a checksum to new ones', async () => {
    await write();
    asOlderRelease(database(), { checksums: false });

    await opened(async ({ events }) => {
      expect(await events.load('note-1')).toHaveLength(3);
      await events.append(begin('note-9', written('new')));
    });
    const after = new Database(database());
    const places = new LogReader(after).eventsAfter(0, 100);
    const checked = places.filter(({ isUnchecked }) => !isUnchecked).map(({ row }) => row().stream);
    after.close();
    expect([places.length, checked]).toEqual([10, ['note-9']]);
  });
});

async function historyOf({ events }: Stores) {
  const streams = await Promise.all(NOTES.map((note) => events.load(note)));
  return { streams, all: await events.readAll({ max: 1_000 }) };
}
