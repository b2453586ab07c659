import Database from 'better-sqlite3';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openLogForReading } from '../../../src/event-sourcing/embedded/connection.js';
import { LogReader } from '../../../src/event-sourcing/embedded/log/log-reader.js';
import { openEmbeddedStores } from '../../../src/event-sourcing/embedded/embedded-stores.js';
import type { Append } from '../../../src/event-sourcing/ports/event-store.port.js';
import { Random } from '../../kit/random.js';
import { anySeed, countOf } from '../../kit/length.js';
import { ManualClock } from '../../kit/manual-clock.js';
import { NOON } from '../../kit/recorded.js';
import { lifeOfProgram } from './kit/killed-program.js';
import { asOlderRelease } from '../../kit/stored-rows.js';
import { inProcess } from '../../kit/stores.js';
import { sampleModule } from '../../contract/implementations.js';
import { begin, closed, goOn, moved, written } from '../../contract/sample-appends.js';

const NOTES = 1_500;
const kills = countOf('UPKEEP_KILLS', { short: 4, long: 10, soak: 1_000 });
const MINUTE = 60_000;
const built = (file: string) => pathToFileURL(resolve('dist/src/event-sourcing/embedded', file)).href;
const RULE = { before: NOON, categories: ['note'], over: ['NoteClosed'] };

describe(`${kills} kills at random during packing and compaction`, () => {
  const seed = anySeed();
  const random = new Random(seed);
  let root: string;
  beforeAll(async () => {
    if (!existsSync('dist/src/event-sourcing/embedded/compaction.js'))
      throw new Error('run `npm run build` first');
    root = mkdtempSync(join(tmpdir(), 'rps-upkeep-'));
    await fill(join(root, 'new'));
    cpSync(join(root, 'new'), join(root, 'old'), { recursive: true });
    asOlderRelease(join(root, 'old', 'rps.db'));
  });
  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it(
    `lose nothing and move no event (seed ${seed})`,
    async () => {
      const expected = logOf(join(root, 'new'));
      expect(expected).toHaveLength(NOTES * 4);
      const whole = Number(await lifeOf(copyOf('new'), undefined));
      const counts = { interrupted: 0, packed: 0 };
      for (let n = 0; n < kills; n++) {
        const folder = copyOf(n % 2 === 0 ? 'new' : 'old');
        const lived = await lifeOf(folder, random.next() * whole * 1.1);
        if (lived === 'killed') counts.interrupted++;
        expect(logOf(folder)).toEqual(expected);
        if (packsIn(folder) > 0) counts.packed++;
        if (n % 10 === 0) await expectViewsOf(folder);
      }
      expect(counts.interrupted).toBeGreaterThan(0);
      expect(counts.packed).toBeGreaterThan(0);
    },
    10 * MINUTE,
  );

  function copyOf(name: string): string {
    const folder = join(root, 'copy');
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(root, name), folder, { recursive: true });
    return folder;
  }
});

const open = (dataDir: string) =>
  openEmbeddedStores({
    dataDir,
    clock: new ManualClock(),
    threads: inProcess,
    projectionsUrl: sampleModule(dataDir),
  });

/** Notes whose events alternate in the log. */
async function fill(dataDir: string): Promise<void> {
  mkdirSync(dataDir);
  const stores = await open(dataDir);
  const each = (append: (note: string, n: number) => Append) =>
    stores.events.appendInOrder(Array.from({ length: NOTES }, (_, n) => append(`note-${n}`, n)));
  await each((note, n) => begin(note, written(`the text of note ${n}`), moved('out')));
  await each((note) => goOn(note, 1, moved('in')));
  await each((note, n) => goOn(note, 2, n % 2 === 0 ? closed() : moved('out')));
  await stores.close();
}

/** Packs and compacts in a process of its own. */
const lifeOf = (folder: string, killAfterMs: number | undefined) =>
  lifeOfProgram(program(folder), killAfterMs);

function program(folder: string): string {
  return `
    import { openEmbeddedStores } from ${JSON.stringify(built('embedded-stores.js'))};
    import { compactDatabase } from ${JSON.stringify(built('compaction.js'))};
    const clock = { now: () => '${NOON}', after: () => () => undefined };
    const dataDir = ${JSON.stringify(folder)};
    console.log('working');
    const stores = await openEmbeddedStores({
      dataDir, clock, projectionsUrl: ${JSON.stringify(sampleModule(folder))},
    });
    await stores.packing.run(${JSON.stringify(RULE)});
    await stores.close();
    await compactDatabase(dataDir, ${JSON.stringify(RULE)});`;
}

function logOf(folder: string) {
  return reading(folder, (db) => new LogReader(db).after(0, NOTES * 10));
}

function packsIn(folder: string): number {
  return reading(folder, (db) => {
    const isThere = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'packs'").get();
    return isThere ? (db.prepare('SELECT count(*) FROM packs').pluck().get() as number) : 0;
  });
}

function reading<T>(folder: string, read: (db: Database.Database) => T): T {
  const db = openLogForReading(folder);
  try {
    return read(db);
  } finally {
    db.close();
  }
}

/** The next start works on, with the same read models. */
async function expectViewsOf(folder: string): Promise<void> {
  const stores = await open(folder);
  await stores.packing!.run(RULE);
  expect((await stores.maintenance.verify()).every(({ equal }) => equal)).toBe(true);
  expect(await stores.events.append(goOn('note-7', 3, moved('out')))).toMatchObject({ revision: 4 });
  await stores.close();
}
