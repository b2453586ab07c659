import Database from 'better-sqlite3';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkIntegrity, documentsIn } from './kit/integrity.js';
import { creates, createsAgain, jobOf, LARGE } from './kit/steps.js';
import { eventually } from '../../kit/polling.js';
import { newFolder, SeedFolder, World } from './kit/world.js';

const MINUTE = 60_000;
const SECRETS = ['operator-token', 'master.key'];
/** Ids of jobs that never existed, from a day before the service ran. */
const ORPHANS = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b'] as const;

describe('starting on files that a crash left behind', () => {
  let seed: SeedFolder;
  let world: World;
  beforeAll(async () => {
    seed = await SeedFolder.make();
  }, MINUTE);
  beforeEach(async () => {
    world = await seed.grow();
  });
  afterEach(() => world.remove());
  afterAll(() => seed?.remove());

  const file = (...names: string[]) => join(world.dataDir, ...names);
  const secret = (name: string) => readFileSync(file(name), 'utf8');

  it(
    'deletes half-written documents and keeps complete ones',
    async () => {
      await world.start();
      await creates('poster', LARGE).run(world);
      await creates('receipt').run(world);
      const jobId = jobOf(world, 'poster');
      await world.service.kill();
      writeFileSync(file('content', 'unfinished', `${jobId}-1`), LARGE.slice(0, 1000));
      writeFileSync(file('content', 'unfinished', `${ORPHANS[0]}-7`), Buffer.alloc(5000, 0xff));
      await world.start();

      expect(readdirSync(file('content', 'unfinished'))).toEqual([]);
      await checkIntegrity(world);
    },
    MINUTE,
  );

  it(
    'deletes old documents without a job, and no others',
    async () => {
      await world.start();
      await creates('poster', LARGE).run(world);
      await creates('receipt').run(world);
      await world.service.kill();
      const db = new Database(file('rps.db'));
      db.prepare('INSERT INTO contents (job_id, bytes) VALUES (?, ?)').run(ORPHANS[0], Buffer.from('lost'));
      db.close();
      mkdirSync(file('content', ORPHANS[1].slice(-2)), { recursive: true });
      writeFileSync(file('content', ORPHANS[1].slice(-2), ORPHANS[1]), LARGE);
      await world.start();

      await eventually('the sweep', async () => {
        const documents = documentsIn(world.dataDir);
        return ORPHANS.some((id) => documents.has(id)) ? undefined : true;
      });
      await checkIntegrity(world);
    },
    MINUTE,
  );

  it(
    'keeps its secrets beside half-written files',
    async () => {
      const before = SECRETS.map(secret);
      for (const name of SECRETS) writeFileSync(file(`${name}.new`), 'svc_oper', { mode: 0o644 });
      await world.start();

      expect(SECRETS.map(secret)).toEqual(before);
      await checkIntegrity(world);
    },
    MINUTE,
  );

  it(
    'creates its secrets if the first start was killed before it could',
    async () => {
      rmSync(world.dataDir, { recursive: true });
      mkdirSync(world.dataDir);
      for (const name of SECRETS) writeFileSync(file(`${name}.new`), 'torn', { mode: 0o644 });
      await world.start();

      await world.operate('GET', '/accounts');
      expect(SECRETS.filter((name) => existsSync(file(`${name}.new`)))).toEqual([]);
    },
    MINUTE,
  );

  it(
    'issues another operator token when the file is empty or missing',
    async () => {
      for (const damage of [
        () => writeFileSync(file('operator-token'), ''),
        () => rmSync(file('operator-token')),
      ]) {
        damage();
        await world.start();
        await world.operate('GET', '/accounts');
        await world.service.kill();
      }
    },
    MINUTE,
  );

  it(
    'restores a backup made under load with every earlier acknowledged write complete',
    async () => {
      await world.start();
      const backup = new World(await newFolder(), world.seed, world.env);
      try {
        await creates('poster', LARGE).run(world);
        await creates('receipt').run(world);
        backup.acknowledged.push(...world.acknowledged);
        let done = false;
        const load = createUntil(world, () => done);
        await backUp(world.dataDir, backup.dataDir).finally(() => (done = true));
        expect(await load).toBeGreaterThan(0);
        for (const name of ['job', 'key', 'data'].flatMap((it) => [`${it} poster`, `${it} receipt`])) {
          backup.memory.set(name, world.memory.get(name));
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
    },
    MINUTE,
  );
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
