import { copyFile, open, readFile, truncate, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder, WriteFailed, writeDurably } from './durable-file.js';

/**
 * A file of JSON lines. An append resolves once it is on disk (fdatasync); appends during a write share the next one.
 * Opening drops a line truncated by a crash, which was never acknowledged. After a failed write the end of the file is
 * unknown, so every later append is rejected.
 */
export class AppendLog<T> {
  private waiting: { line: string; done: () => void; failed: (reason: unknown) => void }[] = [];
  private tail: Promise<void> = Promise.resolve();
  private failure: Error | undefined;

  private constructor(
    private readonly file: string,
    private handle: FileHandle,
    private count: number,
  ) {}

  /** `salvaged` returns the new content of a damaged file, given the records before the damage. */
  static async open<T>(
    file: string,
    salvaged: (readable: T[]) => T[] = (readable) => readable,
  ): Promise<{ log: AppendLog<T>; records: T[] }> {
    const { records: readable, damaged } = await readLines<T>(file);
    const records = damaged ? salvaged(readable) : readable;
    try {
      if (damaged) await replaceDamaged(file, records);
      const handle = await open(file, 'a', 0o600);
      await syncFolder(dirname(file));
      return { log: new AppendLog<T>(file, handle, records.length), records };
    } catch (error) {
      throw new WriteFailed(file, error);
    }
  }

  get lines(): number {
    return this.count;
  }

  append(record: T): Promise<void> {
    return new Promise<void>((done, failed) => {
      this.waiting.push({ line: `${JSON.stringify(record)}\n`, done, failed });
      if (this.waiting.length === 1) this.tail = this.tail.then(() => this.flush());
    });
  }

  /** Compacts the file. Calls `snapshot` just before writing, so that it includes all earlier appends. */
  async rewrite(snapshot: () => T[]): Promise<void> {
    const turn = this.tail.then(() => this.replace(snapshot()));
    this.tail = turn.catch((error: unknown) => void this.fail(error));
    await turn.catch((error: unknown) => {
      throw this.fail(error);
    });
  }

  async close(): Promise<void> {
    await this.tail;
    await this.handle.close();
  }

  private async flush(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    try {
      if (this.failure) throw this.failure;
      await this.handle.appendFile(batch.map((entry) => entry.line).join(''));
      await this.handle.datasync();
      this.count += batch.length;
      for (const entry of batch) entry.done();
    } catch (error) {
      const failure = this.fail(error);
      for (const entry of batch) entry.failed(failure);
    }
  }

  private async replace(records: T[]): Promise<void> {
    if (this.failure) throw this.failure;
    await this.handle.close(); // Windows replaces no open file.
    await writeDurably(this.file, linesOf(records));
    this.handle = await open(this.file, 'a', 0o600);
    this.count = records.length;
  }

  private fail(error: unknown): Error {
    return (this.failure ??= new WriteFailed(this.file, error));
  }
}

function linesOf(records: unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

async function readLines<T>(file: string): Promise<{ records: T[]; damaged: boolean }> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const end = text.lastIndexOf('\n') + 1;
  if (end < text.length) await truncate(file, Buffer.byteLength(text.slice(0, end)));
  const records: T[] = [];
  for (const line of text.slice(0, end).split('\n').slice(0, -1)) {
    const record = parsed<T>(line);
    if (record === undefined) return { records, damaged: true };
    records.push(record);
  }
  return { records, damaged: false };
}

function parsed<T>(line: string): T | undefined {
  try {
    return JSON.parse(line) as T;
  } catch {
    return undefined;
  }
}

/**
 * Copies the damaged file, then replaces it atomically: after a crash in between, the next start repeats both. A
 * damaged line in the middle is caused by a broken disk, not by a crash.
 */
async function replaceDamaged(file: string, records: unknown[]): Promise<void> {
  await copyFile(file, `${file}.damaged-${Date.now()}`);
  await writeDurably(file, linesOf(records));
}
