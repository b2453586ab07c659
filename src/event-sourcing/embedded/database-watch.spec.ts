import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openForWriting, type Connection } from './connection.js';
import { DatabaseWatch } from './database-watch.js';

describe('watching the open database', () => {
  let root: string;
  let dataDir: string;
  let db: Connection;
  let watch: DatabaseWatch;
  let lost: string[];
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'rps-watch-'));
    dataDir = mkdtempSync(join(root, 'data-'));
    db = openForWriting(dataDir);
    lost = [];
    watch = new DatabaseWatch(dataDir, (error) => lost.push(error.message));
  });
  afterEach(() => {
    watch.stop();
    db.close();
    rmSync(root, { recursive: true });
  });
  const file = (name: string) => join(dataDir, name);

  it('reports no loss during writes and checkpoints', async () => {
    db.exec("INSERT INTO beats VALUES ('computer:1', 'now')");
    db.pragma('wal_checkpoint(TRUNCATE)');
    await watch.check();
    expect(lost).toEqual([]);
  });

  it.each(['rps.db', 'rps.db-wal', 'rps.db-shm'])('reports that %s was deleted', async (name) => {
    rmSync(file(name));
    await watch.check();
    expect(lost).toEqual([`${file(name)} was deleted, moved or unmounted while it was in use`]);
  });

  it('reports that the database was replaced', async () => {
    writeFileSync(file('other'), '');
    renameSync(file('other'), file('rps.db'));
    await watch.check();
    expect(lost).toEqual([`${file('rps.db')} was replaced by another file while it was in use`]);
  });

  it('reports once that the folder was moved, and names its database', async () => {
    renameSync(dataDir, join(root, 'moved'));
    await watch.check();
    await watch.check();
    expect(lost).toEqual([expect.stringContaining(`${file('rps.db')} was deleted, moved or unmounted`)]);
  });

  it('reports nothing after a stop', async () => {
    watch.stop();
    rmSync(dataDir, { recursive: true });
    await watch.check();
    expect(lost).toEqual([]);
  });
});
