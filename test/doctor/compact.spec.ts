import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { openForReading } from '../../src/event-sourcing/embedded/connection.js';
import { lockDataDir } from '../../src/event-sourcing/embedded/data-dir-lock.js';
import { LogReader } from '../../src/event-sourcing/embedded/log/log-reader.js';
import { openEmbeddedStores } from '../../src/event-sourcing/embedded/embedded-stores.js';
import { compact } from '../../src/operations/backup/compact.js';
import { BackupError } from '../../src/operations/backup/manifest.js';
import { writeRestoreMark } from '../../src/app/restore-mark.js';
import { plus } from '../../src/kernel/time.js';
import { sampleModule } from '../contract/implementations.js';
import { begin, closed, written } from '../contract/sample-appends.js';
import { ManualClock } from '../kit/manual-clock.js';
import { NOON } from '../kit/recorded.js';
import { asOlderRelease } from '../kit/stored-rows.js';
import { inProcess } from '../kit/stores.js';

const HOUR_MS = 3_600_000;
const JOBS = 200;

describe('rps compact', () => {
  let dataDir: string;
  const database = () => join(dataDir, 'rps.db');
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'rps-compact-'));
    const stores = await open();
    const jobs = Array.from({ length: JOBS }, (_, n) => begin(`job-${n}`, written(`text ${n}`), closed()));
    await stores.events.appendInOrder(jobs);
    await stores.close();
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  const open = () =>
    openEmbeddedStores({
      dataDir,
      clock: new ManualClock(),
      threads: inProcess,
      projectionsUrl: sampleModule(dataDir),
    });
  /** Two hours after the events. */
  const run = (clock = new ManualClock(plus(NOON, 2 * HOUR_MS))) =>
    compact({ dataDir, packAfterMs: HOUR_MS, clock });
  const log = () => {
    const db = openForReading(dataDir);
    const rows = new LogReader(db).after(0, 10 * JOBS);
    db.close();
    return rows;
  };

  it('packs the events, frees the space, and changes no event', async () => {
    const before = log();
    const done = await run();
    expect(done).toMatchObject({ data_dir: dataDir, moved_events: 0, packed_streams: JOBS });
    expect(done.bytes_after).toBeLessThan(done.bytes_before);
    expect(statSync(database()).size).toBe(done.bytes_after);
    expect(log()).toEqual(before);
    const stores = await open();
    expect((await stores.maintenance.verify()).every(({ equal }) => equal)).toBe(true);
    await stores.close();
  });

  it('migrates a folder of an older release', async () => {
    const before = log();
    asOlderRelease(database());
    expect(await run()).toMatchObject({ moved_events: 2 * JOBS, packed_streams: JOBS });
    expect(log()).toEqual(before);
    const db = new Database(database(), { readonly: true });
    expect(db.pragma('user_version', { simple: true })).toBe(4);
    db.close();
  });

  it('skips streams that are not at rest', async () => {
    expect(await run(new ManualClock(plus(NOON, HOUR_MS - 1)))).toMatchObject({ packed_streams: 0 });
  });

  it('refuses a folder that is in use', async () => {
    const unlock = lockDataDir(dataDir);
    await expect(run()).rejects.toThrow(/is in use by another process: stop the service first$/);
    unlock();
    const reader = openForReading(dataDir);
    reader.prepare('SELECT count(*) FROM events').get();
    await expect(run()).rejects.toThrow(/is in use by another process/);
    reader.close();
  });

  it('refuses a folder without a supported database, and an unfinished restore', async () => {
    const db = new Database(database());
    db.pragma('user_version = 99');
    db.close();
    await expect(run()).rejects.toThrow(/was written by a newer release/);
    rmSync(database());
    await expect(run()).rejects.toThrow(BackupError);
    expect(existsSync(database())).toBe(false);
    writeRestoreMark(dataDir, { state: 'copying', backup_at: NOON, restored_at: NOON });
    await expect(run()).rejects.toThrow('unfinished restore');
  });

  it('leaves no temporary files, even after an interruption', async () => {
    mkdirSync(join(dataDir, 'unfinished'));
    writeFileSync(join(dataDir, 'unfinished', 'rps.db'), 'half');
    await run();
    const files = readdirSync(dataDir).filter(
      (name) => name.startsWith('unfinished') || name.includes('-wal'),
    );
    expect(files).toEqual([]);
  });

  it('leaves the cleaning to the next start, if it is not repeated', async () => {
    mkdirSync(join(dataDir, 'unfinished'));
    await (await open()).close();
    expect(existsSync(join(dataDir, 'unfinished'))).toBe(false);
  });
});
