import { mkdir, mkdtemp, readdir, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppendLog } from './append-log.js';
import { WriteFailed } from './durable-file.js';

describe('an append-only log of lines', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'log-'));
    file = join(folder, 'log.ndjson');
  });
  afterEach(() => rm(folder, { recursive: true }));

  const read = async (): Promise<number[]> => {
    const { log, records } = await AppendLog.open<number>(file);
    await log.close();
    return records;
  };

  it('returns all lines in order, also those appended concurrently', async () => {
    const { log } = await AppendLog.open<number>(file);
    await Promise.all([1, 2, 3].map((n) => log.append(n)));
    await log.append(4);
    await log.close();
    expect(await read()).toEqual([1, 2, 3, 4]);
  });

  it('drops a line truncated by a crash and continues after it', async () => {
    await writeFile(file, '1\n2\n{"half":');
    const { log, records } = await AppendLog.open<number>(file);
    await log.append(3);
    await log.close();
    expect(records).toEqual([1, 2]);
    expect(await readFile(file, 'utf8')).toBe('1\n2\n3\n');
  });

  it('keeps a copy of a damaged file and continues with the lines before the damage', async () => {
    await writeFile(file, '1\n\u0000\u0000\n3\n');
    expect(await read()).toEqual([1]);
    expect(await readFile(file, 'utf8')).toBe('1\n');
    expect((await readdir(folder)).filter((name) => name.includes('damaged'))).toHaveLength(1);
  });

  it('compacts without losing concurrent appends', async () => {
    const { log } = await AppendLog.open<number>(file);
    const known = [1];
    await log.append(1);
    const add = (n: number): Promise<void> => {
      known.push(n);
      return log.append(n);
    };
    await Promise.all([add(2), log.rewrite(() => [...known]), add(3)]);
    await add(4);
    await log.close();
    expect(new Set(await read())).toEqual(new Set([1, 2, 3, 4]));
  });

  it('rejects every append after a failed write', async () => {
    const { log } = await AppendLog.open<number>(file);
    const { handle } = log as unknown as { handle: Partial<FileHandle> };
    handle.appendFile = () => Promise.reject(new Error('no space left on device'));
    await expect(log.append(1)).rejects.toThrow(/cannot be written/);
    delete handle.appendFile;
    await expect(log.append(2)).rejects.toThrow(/cannot be written/);
    await log.close();
    expect(await read()).toEqual([]);
  });

  it('fails a compaction that cannot be written like an append, and every later append', async () => {
    const { log } = await AppendLog.open<number>(file);
    await rm(folder, { recursive: true });
    await expect(log.rewrite(() => [1])).rejects.toThrow(WriteFailed);
    await expect(log.append(2)).rejects.toThrow(WriteFailed);
    await log.close();
    await mkdir(folder);
  });
});
