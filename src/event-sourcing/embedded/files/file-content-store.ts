import { access, mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ContentStore, type ContentPart } from '../../ports/content-store.port.js';
import { syncFile } from './copied-file.js';
import { UnavailableError } from '../../../kernel/errors.js';

/** Complete documents lie in folders named by the last two characters of the job id. */
export const UNFINISHED = 'unfinished';

/** Renames synced temporary files, so a named file is always complete. */
export class FileContentStore extends ContentStore {
  private written = 0;

  private constructor(private readonly folder: string) {
    super();
  }

  /** Deletes incomplete documents of a crash; requires a single process. */
  static async open(folder: string): Promise<FileContentStore> {
    await rm(join(folder, UNFINISHED), { recursive: true, force: true });
    await mkdir(join(folder, UNFINISHED), { recursive: true, mode: 0o700 });
    return new FileContentStore(folder);
  }

  /** @throws UnavailableError if the disk fails or is full; the document is not stored then */
  async put(jobId: string, bytes: Uint8Array): Promise<void> {
    const file = this.fileOf(jobId);
    const unfinished = join(this.folder, UNFINISHED, `${jobId}-${++this.written}`);
    try {
      await this.write(file, unfinished, bytes);
    } catch (error) {
      // Otherwise the next start deletes it.
      await rm(unfinished, { force: true }).catch(() => undefined);
      throw new UnavailableError('a document cannot be stored', 'not_written', { cause: error });
    }
  }

  private async write(file: string, unfinished: string, bytes: Uint8Array): Promise<void> {
    const handle = await open(unfinished, 'w', 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.datasync();
    } finally {
      await handle.close();
    }
    const made = await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await rename(unfinished, file);
    await syncFile(dirname(file));
    if (made !== undefined) await syncFile(this.folder);
  }

  async get(jobId: string, part?: ContentPart): Promise<Uint8Array | undefined> {
    const file = this.fileOf(jobId);
    return (part ? readPart(file, part) : readFile(file)).catch((error: unknown) => this.missing(error));
  }

  async has(jobId: string): Promise<boolean> {
    const file = this.fileOf(jobId);
    const found = await access(file).then(
      () => true,
      (error: unknown) => this.missing(error),
    );
    return found ?? false;
  }

  async ids(after: string | undefined, limit: number): Promise<readonly string[]> {
    const folders = (await readdir(this.folder)).filter((name) => name !== UNFINISHED);
    const names = await Promise.all(folders.map((name) => readdir(join(this.folder, name))));
    return names
      .flat()
      .filter((id) => after === undefined || id > after)
      .sort()
      .slice(0, limit);
  }

  async delete(jobId: string): Promise<void> {
    await rm(this.fileOf(jobId), { force: true });
  }

  /** A missing file proves a missing document only while the opened folder exists (unmounted disk). */
  private async missing(error: unknown): Promise<undefined> {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const isThere = isMissing && (await isReadable(join(this.folder, UNFINISHED)));
    if (!isThere) throw new UnavailableError('documents cannot be read', 'not_written', { cause: error });
  }

  /** By the end of the id, because UUID version 7 begins with the time. */
  private fileOf(jobId: string): string {
    if (!/^[\w-]{2,100}$/.test(jobId)) throw new RangeError('not the id of a job');
    return join(this.folder, jobId.slice(-2), jobId);
  }
}

async function readPart(path: string, { first, end }: ContentPart): Promise<Uint8Array> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(end - first), 0, end - first, first);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function isReadable(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
