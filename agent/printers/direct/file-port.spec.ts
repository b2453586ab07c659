import { execFileSync, spawn } from 'node:child_process';
import { constants, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { eventually } from '../../../test/kit/polling.js';
import { quietProgress } from '../../../test/kit/quiet-progress.js';
import { FilePort } from './file-port.js';
import type { Connection } from './port.js';

const connected = (path: string): Promise<Connection> => new FilePort(new URL(`file:${path}`), false).open();

const onLinux = process.platform === 'linux' ? describe : describe.skip;

onLinux('a device that refuses bytes', () => {
  it('may have taken some of them', async () => {
    const connection = await connected('/dev/full');
    await expect(connection.write(Buffer.from('^XA^XZ'), quietProgress())).rejects.toThrow('ENOSPC');

    expect(connection.sent).toBe(6);
    await connection.destroy();
  });

  it('is asked once more before it is closed', async () => {
    const connection = await connected('/dev/full');
    await expect(connection.end(quietProgress())).rejects.toThrow('ENOSPC');
    await connection.destroy();
  });
});

onLinux('a device that takes bytes in pieces', () => {
  const bytes = Buffer.alloc(300_000, 'label ');
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fifo-'));
    path = join(folder, 'lp0');
    execFileSync('mkfifo', [path]);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('is not open for bytes while it is switched off', async () => {
    await expect(connected(path)).rejects.toThrow('ENXIO');
  });

  it('gets all of them', async () => {
    const reader = spawn('cat', [path]);
    const taken = buffer(reader.stdout);
    const connection = await eventually('the reader', () => connected(path).catch(() => undefined));
    await connection.write(bytes, quietProgress());
    await connection.end(quietProgress());

    expect((await taken).equals(bytes)).toBe(true);
    expect(connection.sent).toBe(bytes.length);
  });

  it('stops at the deadline if it takes no more, and counts what it took', async () => {
    const reader = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const connection = await connected(path);
    const deadline = new AbortController();
    const writing = connection.write(bytes, { signal: deadline.signal, moved: () => deadline.abort() });
    await expect(writing).rejects.toThrow('abort');

    expect(connection.sent).toBeGreaterThan(0);
    expect(connection.sent).toBeLessThan(bytes.length);
    await connection.destroy();
    await reader.close();
  });
});
