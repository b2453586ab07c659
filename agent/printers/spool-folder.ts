import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../state/durable-file.js';

/** Durable queue entries, one file a document, for providers that are their own spooler. */
export class SpoolFolder<Entry> {
  private constructor(
    readonly path: string,
    /** Changes when the entries are lost with the folder: the epoch of the spooler. */
    readonly id: string,
  ) {}

  static async open<Entry>(path: string): Promise<SpoolFolder<Entry>> {
    await mkdir(path, { recursive: true });
    return new SpoolFolder(path, await folderId(join(path, 'folder-id')));
  }

  async read(documentName: string): Promise<Entry | undefined> {
    try {
      return JSON.parse(await readFile(this.file(documentName), 'utf8')) as Entry;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  write(documentName: string, entry: Entry): Promise<void> {
    return writeDurably(this.file(documentName), JSON.stringify(entry));
  }

  async remove(documentName: string): Promise<void> {
    await rm(this.file(documentName), { force: true });
  }

  private file(documentName: string): string {
    return join(this.path, `${fileStem(documentName)}.json`);
  }
}

/** `svc:<job_id>:<fence>` as `<job_id>-<fence>`. */
export function fileStem(documentName: string): string {
  return documentName.replace(/^svc:/, '').replaceAll(/[^A-Za-z0-9]+/g, '-');
}

/** Created once; if two agents start on a new folder together, both use the first one written. */
async function folderId(file: string): Promise<string> {
  try {
    await writeFile(file, randomUUID(), { flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFile(file, 'utf8');
}
