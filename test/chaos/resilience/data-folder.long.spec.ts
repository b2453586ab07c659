import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diagnosis } from '../../doctor/diagnosis.js';
import { ServiceProcess } from '../../kit/service-process.js';

/** Detection within two seconds, plus the shutdown; generous for a busy machine. */
const SOON_MS = 15_000;

let service: ServiceProcess;
beforeEach(async () => {
  service = await ServiceProcess.prepare();
});
afterEach(() => service.remove());

const file = (name: string) => join(service.dataDir, name);
const createAccount = (name: string) => service.operate('POST', '/accounts', { name });
const accounts = async () => {
  const { items } = await service.operate('GET', '/accounts');
  return (items as { name: string }[]).map(({ name }) => name);
};

describe('losing the data folder under the running service', () => {
  it.each([
    ['is deleted', () => rm(service.dataDir, { recursive: true }), 'deleted, moved or unmounted'],
    ['is moved', () => rename(service.dataDir, `${service.dataDir}-moved`), 'deleted, moved or unmounted'],
    [
      'has its database replaced',
      async () => {
        await copyFile(file('rps.db'), file('copy'));
        await rename(file('copy'), file('rps.db'));
      },
      'replaced by another file',
    ],
  ])('exits with 70 soon after the folder %s, under load', async (_, lose, said) => {
    const started = service.begin();
    service.url = (JSON.parse(await started.firstLine) as { url: string }).url;
    const as = await service.operatorToken();
    let statuses: number[] = [];
    let isOver = false;
    void started.ended.then(() => (isOver = true));
    const client = async () => {
      while (!isOver) {
        const created = service.call('POST', '/operator/accounts', { as, json: { name: 'x' } });
        const { status } = await created.catch(() => ({ status: 0 }));
        statuses.push(status);
      }
    };
    const clients = [client(), client()];
    await createAccount('before');
    const lost = performance.now();
    await lose();
    const { code, stderr } = await started.ended;
    await Promise.all(clients);
    expect(code).toBe(70);
    expect(performance.now() - lost).toBeLessThan(SOON_MS);
    const fatal = stderr.split('\n').filter((line) => line.includes('"level":60'));
    expect(fatal).toEqual([expect.stringContaining(said)]);
    // No write is acknowledged after the detection.
    statuses = statuses.slice(statuses.lastIndexOf(201) + 1);
    expect(statuses.every((status) => status === 503 || status === 0)).toBe(true);
  });

  it('keeps acknowledged writes when the database log is deleted', async () => {
    await service.start();
    await createAccount('Acme');
    await rm(file('rps.db-wal'));
    const { code } = await service.whenEnded();
    expect(code).toBe(70);
    await service.start();
    expect(await accounts()).toEqual(['Acme']);
  });
});

describe('starting a second process', () => {
  it('exits with 75 even after lock.db was removed, while the first continues', async () => {
    await service.start();
    await rm(file('lock.db'));
    const { code, stdout, stderr } = await service.another();
    expect([code, stdout]).toEqual([75, '']);
    expect(stderr).toBe(`${service.dataDir} is in use by another process\n`);
    expect((await diagnosis({ DATA_DIR: service.dataDir })).of('data folder: in use')[0]).toBe('warn');
    await createAccount('Acme');
    expect(await accounts()).toEqual(['Acme']);
    expect((await service.end('SIGTERM')).code).toBe(0);
  });
});

describe('starting on a used folder', () => {
  beforeEach(async () => {
    await service.start();
    await createAccount('Acme');
    await service.end('SIGTERM');
  });

  it('exits with 78 without its database, in the doctor too, unless a new store is allowed', async () => {
    await rm(file('rps.db'));
    const refused = await service.another();
    expect([refused.code, refused.stdout]).toEqual([78, '']);
    expect(refused.stderr).toMatch(/has master\.key, operator-token but no database .*NEW_STORE=true\n$/);
    expect(refused.stderr.split('\n')).toHaveLength(2);
    expect(existsSync(file('rps.db'))).toBe(false);
    const { code, of } = await diagnosis({ DATA_DIR: service.dataDir });
    expect([code, of('data folder: contents')[0]]).toEqual([1, 'fail']);

    await service.start({}, { args: ['--new'] });
    expect(await accounts()).toEqual([]);
    await service.end('SIGTERM');
    await service.start();
  });

  it('exits with 78 with another master key, and accepts it with NEW_STORE=true', async () => {
    await writeFile(file('master.key'), `${Buffer.from('x'.repeat(31) + 'y').toString('base64')}\n`);
    const refused = await service.another();
    expect([refused.code, refused.stdout]).toEqual([78, '']);
    expect(refused.stderr).toContain('is not the master key that the store was used with');
    expect((await diagnosis({ DATA_DIR: service.dataDir })).of('data folder: contents')[0]).toBe('fail');

    await service.start({ NEW_STORE: 'true' });
    expect(await accounts()).toEqual(['Acme']);
    await service.end('SIGTERM');
    await service.start();
  });
});

describe('keeping the files of the data folder private', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const modes = () => [
    ['DATA_DIR', modeOf(service.dataDir)],
    ...readdirSync(service.dataDir, { recursive: true, withFileTypes: true }).map((entry) => [
      entry.name,
      modeOf(join(entry.parentPath, entry.name)),
    ]),
  ];
  const isPrivate = () => expect(modes().filter(([, mode]) => mode !== '600' && mode !== '700')).toEqual([]);

  it('creates files with mode 0600 in a shared folder, with any umask', async () => {
    mkdirSync(service.dataDir);
    chmodSync(service.dataDir, 0o755);
    const umask = process.umask(0);
    await service.start().finally(() => process.umask(umask));
    expect(modes().map(([name]) => name)).toEqual(
      expect.arrayContaining(['rps.db', 'rps.db-wal', 'rps.db-shm', 'lock.db', 'content', 'master.key']),
    );
    isPrivate();
  });

  it('removes permissions of other users at the start', async () => {
    await service.start();
    await service.end('SIGTERM');
    await mkdir(file('content/ab'), { mode: 0o755 });
    await writeFile(file('content/ab/document'), 'x', { mode: 0o644 });
    for (const name of ['.', 'content', 'rps.db', 'lock.db', 'master.key', 'operator-token'])
      chmodSync(file(name), 0o755);
    await service.start();
    expect(modes().filter(([, mode]) => (Number.parseInt(mode!, 8) & 0o077) !== 0)).toEqual([]);
  });
});
