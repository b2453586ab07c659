import Database from 'better-sqlite3';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkIntegrity, documentsIn } from './kit/integrity.js';
import { creates, createsAgain, jobOf, LARGE } from './kit/steps.js';
import { eventually } from '../../kit/polling.js';
import { worldOnSeed } from './kit/seeded.js';
import { newFolder, World } from './kit/world.js';

const SECRETS = ['operator-token', 'master.key'];
/** Ids of jobs that never existed, from a day before the service ran. */
const ORPHANS = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b'] as const;

describe('starting on files that a crash left behind', () => {
  const the = worldOnSeed({ start: false });

  const file = (...names: string[]) => join(the.world.dataDir, ...names);
  const secret = (name: string) => readFileSync(file(name), 'utf8');

  it('deletes half-written documents and keeps complete ones', async () => {
    await the.world.start();
    await creates('poster', LARGE).run(the.world);
    await creates('receipt').run(the.world);
    const jobId = jobOf(the.world, 'poster');
    await the.world.service.kill();
    writeFileSync(file('content', 'unfinished', `${jobId}-1`), LARGE.slice(0, 1000));
    writeFileSync(file('content', 'unfinished', `${ORPHANS[0]}-7`), Buffer.alloc(5000, 0xff));
    await the.world.start();

    expect(readdirSync(file('content', 'unfinished'))).toEqual([]);
    await checkIntegrity(the.world);
  });

  it('deletes old documents without a job, and no others', async () => {
    await the.world.start();
    await creates('poster', LARGE).run(the.world);
    await creates('receipt').run(the.world);
    await the.world.service.kill();
    const db = new Database(file('rps.db'));
    db.prepare('INSERT INTO contents (job_id, bytes) VALUES (?, ?)').run(ORPHANS[0], Buffer.from('lost'));
    db.close();
    mkdirSync(file('content', ORPHANS[1].slice(-2)), { recursive: true });
    writeFileSync(file('content', ORPHANS[1].slice(-2), ORPHANS[1]), LARGE);
    await the.world.start();

    await eventually('the sweep', async () => {
      const documents = documentsIn(the.world.dataDir);
      return ORPHANS.some((id) => documents.has(id)) ? undefined : true;
    });
    await checkIntegrity(the.world);
  });

  it('keeps its secrets beside half-written files', async () => {
    const before = SECRETS.map(secret);
    for (const name of SECRETS) writeFileSync(file(`${name}.new`), 'svc_oper', { mode: 0o644 });
    await the.world.start();

    expect(SECRETS.map(secret)).toEqual(before);
    await checkIntegrity(the.world);
  });

  it('creates its secrets if the first start was killed before it could', async () => {
    rmSync(the.world.dataDir, { recursive: true });
    mkdirSync(the.world.dataDir);
    for (const name of SECRETS) writeFileSync(file(`${name}.new`), 'torn', { mode: 0o644 });
    await the.world.start();

    await the.world.operate('GET', '/accounts');
    expect(SECRETS.filter((name) => existsSync(file(`${name}.new`)))).toEqual([]);
  });

  it('issues another operator token when the file is empty or missing', async () => {
    for (const damage of [
      () => writeFileSync(file('operator-token'), ''),
      () => rmSync(file('operator-token')),
    ]) {
      damage();
      await the.world.start();
      await the.world.operate('GET', '/accounts');
      await the.world.service.kill();
    }
  });

  it('restores a backup made under load with every earlier acknowledged write complete', async () => {
    await the.world.start();
    const backup = new World(await newFolder(), the.world.seed, the.world.env);
    try {
      await creates('poster', LARGE).run(the.world);
      await creates('receipt').run(the.world);
      backup.acknowledged.push(...the.world.acknowledged);
      let done = false;
      const load = createUntil(the.world, () => done);
      await backUp(the.world.dataDir, backup.dataDir).finally(() => (done = true));
      expect(await load).toBeGreaterThan(0);
      for (const name of ['job', 'key', 'data'].flatMap((it) => [`${it} poster`, `${it} receipt`])) {
        backup.memory.set(name, the.world.memory.get(name));
      }
      // Documents stored after the copy of the database have no job in it.
      backup.crashes = Infinity;
      await backup.start();
      await checkIntegrity(backup);
      await createsAgain('poster').run(backup);
      await createsAgain('receipt').run(backup);
    } finally {
      await backup.remove();
    }
  });
});

/** Creates large and small jobs in turn; resolves to their number. */
async function createUntil(world: World, stopped: () => boolean): Promise<number> {
  let n = 0;
  for (; !stopped(); n++) await creates(`load ${n}`, n % 2 ? undefined : LARGE).run(world);
  return n;
}

/** As in docs/operations.md: first the database through SQLite, then the documents and the secrets. */
async function backUp(from: string, to: string): Promise<void> {
  const db = new Database(join(from, 'rps.db'), { readonly: true });
  await db.backup(join(to, 'rps.db'), { progress: () => 1 });
  db.close();
  cpSync(join(from, 'content'), join(to, 'content'), { recursive: true });
  for (const name of SECRETS) cpSync(join(from, name), join(to, name));
}
