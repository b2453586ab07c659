import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { v7 } from 'uuid';
import { openForReading } from '../../src/event-sourcing/embedded/connection.js';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { LogReader } from '../../src/event-sourcing/embedded/log/log-reader.js';
import { storedDataHealthCheck } from '../../src/event-sourcing/embedded/stored-data-health-check.js';
import { storedState } from '../../src/event-sourcing/embedded/stored-state.js';
import { compact } from '../../src/operations/backup/compact.js';
import { makeBackup } from '../../src/operations/backup/make-backup.js';
import { restoreBackup } from '../../src/operations/backup/restore-backup.js';
import { CorruptEventError, UnavailableError } from '../../src/kernel/errors.js';
import { plus } from '../../src/kernel/time.js';
import { sampleModule } from '../contract/implementations.js';
import { begin, closed, written } from '../contract/sample-appends.js';
import { ManualClock } from '../kit/manual-clock.js';
import { metadata, NOON } from '../kit/recorded.js';
import { inProcess } from '../kit/stores.js';

const HOUR_MS = 3_600_000;
const JOBS = 50;
const archived = () => ({ id: v7(), type: 'JobArchived', data: {}, metadata });

describe('a data folder with archived jobs', () => {
  let root: string;
  let dataDir: string;
  const clock = new ManualClock(plus(NOON, 2 * HOUR_MS));
  const file = (folder = dataDir) => join(folder, 'archive', NOON.slice(0, 'YYYY-MM'.length));
  const logOf = (folder: string) => {
    const db = openForReading(folder);
    const rows = new LogReader(db).after(0, 10 * JOBS);
    db.close();
    return rows;
  };
  const options = () => ({ clock, threads: inProcess, projectionsUrl: sampleModule(root) });
  const findings = async () => {
    const found = [];
    for await (const finding of storedDataHealthCheck(dataDir, () => undefined)) found.push(finding);
    return found;
  };
  const backup = (folder: string) =>
    makeBackup({ dataDir, folder, productVersion: '1', keyInEnvironment: true, clock });
  const restore = (folder: string, to: string) =>
    restoreBackup({ dataDir: to, folder, keyInEnvironment: true, clock });
  const flipLastByte = () => {
    const bytes = readFileSync(file());
    bytes[bytes.byteLength - 1]! ^= 1;
    writeFileSync(file(), bytes);
  };
  let before: ReturnType<typeof logOf>;

  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'rps-archive-'));
    dataDir = join(root, 'data');
    const stores = await openEmbeddedStores({ dataDir, ...options() });
    const jobs = Array.from({ length: JOBS }, (_, n) => begin(`job-${n}`, written(`text ${n}`), archived()));
    await stores.events.appendInOrder([...jobs, begin('job-open', written('open'), closed())]);
    await stores.close();
    before = logOf(dataDir);
    await compact({ dataDir, packAfterMs: HOUR_MS, clock });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('has their packs beside the database, which earlier releases then refuse', () => {
    expect(logOf(dataDir)).toEqual(before);
    const db = new Database(join(dataDir, 'rps.db'), { readonly: true });
    expect(db.pragma('user_version', { simple: true })).toBe(5);
    expect(db.prepare('SELECT count(*) FROM packs WHERE length(bytes) = 18').pluck().get()).toBe(JOBS);
    db.close();
    expect(storedState(dataDir)).toMatchObject({ database: 'ours', remains: ['archive/'] });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(join(dataDir, 'archive')).mode & 0o777).toBe(0o700);
  });

  it('is backed up and restored whole, also with what a crash left at the end of a file', async () => {
    appendFileSync(file(), 'the rest of a step that was not committed');
    const saved = join(root, 'saved');
    const restored = join(root, 'restored');
    expect(await backup(saved)).toMatchObject({ files: 2, events: before.length });
    await restore(saved, restored);
    expect(logOf(restored)).toEqual(before);
    await expect(restore(saved, restored)).rejects.toThrow('holds a store');
  });

  it('refuses a backup whose archive is damaged', async () => {
    const saved = join(root, 'saved');
    await backup(saved);
    truncateSync(file(saved), statSync(file(saved)).size - 1);
    await expect(restore(saved, join(root, 'restored'))).rejects.toThrow('is damaged');
    expect(existsSync(join(root, 'restored'))).toBe(false);
  });

  it.each([
    ['lacks a file', (path: string) => rmSync(path)],
    ['has a file that is too short', (path: string) => truncateSync(path, statSync(path).size - 1)],
  ])('is not backed up without its archive, which the doctor asks for: it %s', async (_, lose) => {
    lose(file());
    await expect(backup(join(root, 'saved'))).rejects.toThrow(/^archive\/\d{4}-\d\d is missing or too short/);
    const [events] = await findings();
    expect(events!.found).toMatch(/archive\/\d{4}-\d\d is missing or too short: put it back where it was/);
    expect(existsSync(join(root, 'saved', 'backup.json'))).toBe(false);
  });

  it.each([
    ['this release', ''],
    ['an earlier one', `DELETE FROM checkpoints WHERE name LIKE 'archive/%'`],
  ])('adds nothing to an archive that is away, in a folder of %s', async (_, change) => {
    const db = new Database(join(dataDir, 'rps.db'));
    db.exec(change);
    db.close();
    const stores = await openEmbeddedStores({ dataDir, ...options() });
    await stores.events.appendInOrder([begin('job-late', written('late'), archived())]);
    await stores.close();
    const all = logOf(dataDir);
    const again = () => compact({ dataDir, packAfterMs: HOUR_MS, clock });

    renameSync(join(dataDir, 'archive'), join(root, 'away'));
    await expect(again()).rejects.toThrow('is missing or too short');
    expect(existsSync(join(dataDir, 'archive'))).toBe(false);

    renameSync(join(root, 'away'), join(dataDir, 'archive'));
    expect(await again()).toMatchObject({ packed_streams: 1 });
    expect(logOf(dataDir)).toEqual(all);
  });

  it('warns of damaged events in the backup, so that an earlier one is kept', async () => {
    const warned = async (folder: string) => (await backup(join(root, folder))).warnings.slice(0, -1);
    expect(await warned('sound')).toEqual([]);
    flipLastByte();
    expect(await warned('damaged')).toEqual([
      expect.stringMatching(
        `^of ${before.length} events, 2 damaged: event 0 of stream job-${JOBS - 1} at .+: keep an earlier`,
      ),
    ]);
  });

  it('names the event of a flipped byte, and reads all others', async () => {
    flipLastByte();
    const last = `event 0 of stream job-${JOBS - 1}`;
    const [{ verdict, found } = {}] = await findings();
    expect([verdict, found?.split(last)]).toEqual([
      'fail',
      [`${before.length} events read, 2 damaged: `, expect.stringMatching(/^ at \d+ cannot be read: /)],
    ]);
    const db = openForReading(dataDir);
    const log = new LogReader(db);
    expect(() => log.load(`job-${JOBS - 1}`, 0, 9)).toThrow(CorruptEventError);
    expect(log.load('job-0', 0, 9)).toEqual(before.filter(({ stream }) => stream === 'job-0'));
    const { texts, damaged } = log.wantedAfter(0, 10 * JOBS, []);
    expect([texts.length, damaged.length]).toEqual([before.length - 2, 2]);
    db.close();
  });

  it('is an outage, no damage, while a file cannot be read', () => {
    renameSync(file(), `${file()}-away`);
    mkdirSync(file());
    expect(() => logOf(dataDir)).toThrow(UnavailableError);
    rmdirSync(file());
    renameSync(`${file()}-away`, file());
    expect(logOf(dataDir)).toEqual(before);
  });

  it('is backed up and read as before with a file of others in the folder', async () => {
    writeFileSync(join(dataDir, 'archive', 'notes.txt'), 'of the operator');
    expect(logOf(dataDir)).toEqual(before);
    const saved = join(root, 'saved');
    await backup(saved);
    await restore(saved, join(root, 'restored'));
    expect(logOf(join(root, 'restored'))).toEqual(before);
  });

  it('lets the doctor name what is missing in a file', async () => {
    const found = `${before.length} events read`;
    expect((await findings())[0]).toMatchObject({ verdict: 'ok', found });
    truncateSync(file(), statSync(file()).size - 1);
    const last = `event 0 of stream job-${JOBS - 1}`;
    expect((await findings())[0]).toMatchObject({ verdict: 'fail', found: expect.stringContaining(last) });
  });
});
