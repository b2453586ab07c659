import { execFile, spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';

import { join, resolve } from 'node:path';
import { ServiceProcess, type Ended } from '../../kit/service-process.js';

const PROGRAM = resolve('dist/src/main.js');

let service: ServiceProcess;
beforeEach(async () => {
  service = await ServiceProcess.prepare();
});
afterEach(() => service.remove());

/** Without a stack, and nothing on stdout. */
function expectRefused({ code, stdout, stderr }: Ended, expected: number, said: string | RegExp) {
  const sentences = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  expect([code, stdout, sentences]).toEqual([expected, '', [expect.stringMatching(said)]]);
  expect(stderr).not.toMatch(/^ +at |"stack"/m);
}

describe('starting where the service cannot run', () => {
  it('exits with 70 for a file that is no database', async () => {
    await mkdir(service.dataDir);
    await writeFile(join(service.dataDir, 'rps.db'), Buffer.alloc(8_192, 0x5a));
    expectRefused(
      await service.another(),
      70,
      /is damaged \(file is not a database, SQLITE_NOTADB\): restore a backup$/,
    );
  });

  it('exits with 78 for a folder in place of the database', async () => {
    await mkdir(join(service.dataDir, 'rps.db'), { recursive: true });
    expectRefused(await service.another(), 78, /rps\.db is the database of another program/);
  });

  it('exits with 78 for a DATA_DIR that is a file', async () => {
    await writeFile(service.dataDir, '');
    const { code, stderr } = await service.another();
    expect([code, stderr]).toEqual([78, expect.stringContaining(`DATA_DIR ${service.dataDir} is no folder`)]);
  });

  it('exits with 78 for a DATA_DIR that cannot be created', async () => {
    const { code, stderr } = await service.another({ DATA_DIR: '/proc/printing/data' });
    expect([code, stderr]).toEqual([78, expect.stringContaining('/proc/printing')]);
  });

  it('exits with 75 for a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const PORT = String((server.address() as AddressInfo).port);
    expectRefused(await service.another({ PORT }), 75, /^PORT is in use by another process: /);
    server.close();
  });

  it('exits with 78 for a host without an address', async () => {
    expectRefused(await service.another({ HOST: 'nowhere.invalid' }), 78, /^HOST or PORT cannot be used: /);
  });

  it('exits with 64 for an unknown option', async () => {
    expectRefused(await service.another({}, { args: ['--newer'] }), 64, /--newer.*the only option is --new/);
  });

  it.each([24, 256])('exits with 78 when it may open only %i files', async (limit) => {
    const script = `ulimit -n ${limit}; exec "$0" "$1"`;
    const env = { PATH: process.env.PATH, DATA_DIR: service.dataDir, PORT: '0' };
    const ended = await new Promise<Ended>((resolve) => {
      execFile('sh', ['-c', script, process.execPath, PROGRAM], { env }, (error, stdout, stderr) =>
        resolve({ code: Number(error?.code ?? 0), signal: null, stdout, stderr }),
      );
    });
    expectRefused(ended, 78, new RegExp(`may open ${limit} files and needs 512`));
  });
});

describe('starting on an unwritable file system', () => {
  const mounted: string[] = [];
  afterEach(() => {
    for (const folder of mounted.splice(0)) spawnSync('umount', ['-l', folder]);
  });
  const mountAt = (folder: string, options: string) => {
    const { status, error, stderr } = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'none', folder]);
    if (status === 0) mounted.push(folder);
    return status === 0 ? undefined : String(error?.message ?? stderr);
  };
  const why = whyNoMount();

  if (why !== undefined) {
    it(`is skipped: ${why}`, () => expect(why).not.toBe(''));
    return;
  }

  it.each([
    ['read-only', 'ro', /^a file or folder cannot be used: EROFS: read-only file system/],
    ['full', 'size=8k', /^the database in .* cannot be opened or written: database or disk is full/],
  ])('exits with 74 for a %s folder', async (_, options, said) => {
    await mkdir(service.dataDir);
    expect(mountAt(service.dataDir, options)).toBeUndefined();
    expectRefused(await service.another(), 74, said);
  });

  it('exits with 70 when the file system is unmounted at run time', async () => {
    await mkdir(service.dataDir);
    mountAt(service.dataDir, 'size=64m');
    await service.start();
    spawnSync('umount', ['-l', service.dataDir]);
    mounted.pop();
    const { code, stderr } = await service.whenEnded();
    expect([code, stderr]).toEqual([70, expect.stringContaining('deleted, moved or unmounted')]);
  });

  function whyNoMount(): string | undefined {
    const folder = spawnSync('mktemp', ['-d'], { encoding: 'utf8' }).stdout.trim();
    const problem = mountAt(folder, 'size=64k');
    for (const one of mounted.splice(0)) spawnSync('umount', ['-l', one]);
    spawnSync('rmdir', [folder]);
    return problem === undefined ? undefined : `no file system may be mounted here (${problem.trim()})`;
  }
});
