import { cp, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LogReader } from '../../../src/event-sourcing/embedded/log/log-reader.js';
import { openForReading } from '../../../src/event-sourcing/embedded/connection.js';
import { writeRestoreMark } from '../../../src/app/restore-mark.js';
import { run, ServiceProcess } from '../../kit/service-process.js';
import { soon, within } from '../../kit/polling.js';
import { createJob, openAccount, TestAgent } from '../../kit/world.js';

const SMALL = { type: 'text', encoding: 'utf8', data: 'Hello, printer' };
const LARGE_BYTES = 1_000_000;
const LARGE = { type: 'raw', encoding: 'base64', data: Buffer.alloc(LARGE_BYTES, 7).toString('base64') };

/** One backup of a service under load, with separate folders for each restore. */
describe('a backup taken under load', () => {
  let service: ServiceProcess;
  let key: string;
  let backup: string;
  let made: Record<string, number>;
  /** Jobs acknowledged before the backup began, by whether their document is large. */
  const acknowledged = new Map<string, boolean>();

  beforeAll(async () => {
    process.umask(0o022);
    service = await ServiceProcess.prepare();
    await service.start();
    const account = await openAccount(service);
    key = account.key;
    const { printerId } = await TestAgent.ready(service, account.accountId);
    const load = { isOver: false };
    const client = async (n: number) => {
      for (let made = n; !load.isOver; made++) {
        const isLarge = made % 3 === 0;
        const answered = await createJob(service, key, printerId, { content: isLarge ? LARGE : SMALL });
        if (answered.status === 201 && !load.isOver && !backup)
          acknowledged.set(String(answered.body.data!.job_id), isLarge);
      }
    };
    const clients = [0, 1, 2, 3].map(client);
    await soon(() => acknowledged.size >= 40);
    backup = service.beside('backup');
    const { code, stdout, stderr } = await service.rpsOnStores('backup', backup);
    load.isOver = true;
    await Promise.all(clients);
    expect([code, stderr]).toEqual([0, '']);
    made = JSON.parse(stdout) as Record<string, number>;
    await service.end('SIGKILL');
  });
  beforeEach(() => (existsSync(service.dataDir) ? service.loseData() : undefined));
  afterAll(() => service.remove());

  const restore = (folder = backup) => service.rpsOnStores('restore', folder);
  const restored = async () => {
    const { code, stderr } = await restore();
    expect([code, stderr]).toEqual([0, '']);
  };
  const countOf = (type: string): number => {
    const db = openForReading(service.dataDir);
    try {
      const rows = new LogReader(db).after(0, Number.MAX_SAFE_INTEGER);
      return rows.filter((row) => row.type === type).length;
    } finally {
      db.close();
    }
  };
  const markState = async () =>
    (JSON.parse(await readFile(join(service.dataDir, 'restored.json'), 'utf8')) as { state: string }).state;

  it('contains every job acknowledged before, with its document', async () => {
    expect(made.events).toBeGreaterThan(2 * acknowledged.size);
    await restored();
    const doctor = resolve('dist/src/operations/doctor/main.js');
    const checked = await run(doctor, ['doctor'], { DATA_DIR: service.dataDir });
    expect([checked.code, checked.stdout]).toEqual([0, expect.not.stringMatching(/^fail/m)]);
    await service.start();
    for (const [id, isLarge] of acknowledged) {
      const { status, body } = await service.call('GET', `/svc-api-print-jobs/${id}`, { as: key });
      expect([status, body.data!.status]).toEqual([200, 'manual_review']);
      const file = join(service.dataDir, 'content', id.slice(-2), id);
      if (isLarge) expect((await stat(file)).size).toBe(LARGE_BYTES);
    }
    expect((await service.rps('views', 'verify')).code).toBe(0);
    await service.end('SIGTERM');
  });

  it('is readable only by its owner, and so is its restored copy, with any umask', async () => {
    await restored();
    for (const folder of [backup, service.dataDir]) {
      const below = await readdir(folder, { recursive: true });
      const modes = await Promise.all(
        ['.', ...below].map(async (name) => {
          const found = await stat(join(folder, name));
          return [name, found.mode & 0o777, found.isDirectory() ? 0o700 : 0o600] as const;
        }),
      );
      expect(modes.filter(([, mode, wanted]) => mode !== wanted)).toEqual([]);
    }
  });

  it('does not start on a half-restored folder, and restores on the second try', async () => {
    const child = service.beginOnStores('restore', backup).child;
    await soon(() => existsSync(join(service.dataDir, 'restored.json')));
    child.kill('SIGKILL');
    await soon(() => child.signalCode !== null || child.exitCode !== null);
    expect(await markState()).toBe('copying');
    const { code, stderr } = await service.another();
    expect([code, stderr]).toEqual([78, expect.stringContaining('run `rps restore` again')]);

    await restored();
    await service.start();
    await service.end('SIGTERM');
    expect(countOf('StoreRestored')).toBe(1);
  });

  it('is recorded and parks jobs once, even if its first start is killed', async () => {
    await restored();
    const jobs = countOf('JobCreated');
    service.begin();
    await within(60_000, () => countOf('ManualReviewOpened') > 0);
    await service.end('SIGKILL');
    await service.start();
    await service.end('SIGTERM');
    expect([countOf('ManualReviewOpened'), countOf('StoreRestored')]).toEqual([jobs, 1]);

    // State after a crash between the record and the removal of the mark.
    const { time } = JSON.parse(await readFile(join(backup, 'backup.json'), 'utf8')) as { time: string };
    writeRestoreMark(service.dataDir, { state: 'copied', backup_at: time, restored_at: time });
    await service.start();
    await service.end('SIGTERM');
    expect([countOf('ManualReviewOpened'), countOf('StoreRestored')]).toEqual([jobs, 1]);
    expect(existsSync(join(service.dataDir, 'restored.json'))).toBe(false);
  });

  it.each([
    ['a flipped bit in a document', /is damaged/, (folder: string) => flip(folder, /^content\/..\/.+/)],
    [
      'a flipped bit in the database',
      /rps\.db of the backup is damaged/,
      (at: string) => flip(at, /^rps\.db$/),
    ],
    ['a missing key', /master\.key of the backup is missing/, (at: string) => rm(join(at, 'master.key'))],
    ['no manifest', /backup\.json is missing/, (at: string) => rm(join(at, 'backup.json'))],
  ])('is refused with %s, without writing anything', async (_, said, damage) => {
    const copy = service.beside('damaged');
    await cp(backup, copy, { recursive: true });
    await damage(copy);
    const { code, stderr } = await restore(copy);
    expect([code, stderr]).toEqual([1, expect.stringMatching(said)]);
    expect(existsSync(service.dataDir)).toBe(false);
    await rm(copy, { recursive: true });
  });

  it('refuses a folder that is not empty, for a backup and for a restore', async () => {
    await restored();
    const again = await restore();
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('move the folder away first')]);
    await service.start();
    const inUse = await restore();
    expect([inUse.code, inUse.stderr]).toEqual([1, expect.stringContaining('stop the service first')]);
    const onto = await service.rpsOnStores('backup', backup);
    expect([onto.code, onto.stderr]).toEqual([1, expect.stringContaining('is not empty')]);
    await service.end('SIGTERM');
  });

  it('is refused of a stopped service whose write-ahead log is damaged before its end', async () => {
    await restored();
    await service.start();
    await service.end('SIGKILL');
    await flip(service.dataDir, /^rps\.db-wal$/);
    const { code, stderr } = await service.rpsOnStores('backup', service.beside('refused'));
    expect([code, stderr]).toEqual([1, expect.stringContaining('is damaged before its last')]);
  });
});

/** Flips one bit in the middle of the first file with a matching path. */
async function flip(folder: string, which: RegExp): Promise<void> {
  const found = (await readdir(folder, { recursive: true })).find((name) => which.test(name))!;
  const file = await open(join(folder, found), 'r+');
  const middle = Math.floor((await file.stat()).size / 2);
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, middle);
  await file.write(Buffer.from([buffer[0]! ^ 1]), 0, 1, middle);
  await file.close();
}
